#!/bin/sh
# check_graphs.sh DEVICE [NAME...]: Graphs under `cucc --check`: the planted mistakes among them, their twins, and right ones.
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP graphs: for the CPU device"; exit 0; }
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- 'graphs/*' 'right_host/graph*'
exec sh "$(dirname "$0")/../mistakes/run.sh" "$@"
