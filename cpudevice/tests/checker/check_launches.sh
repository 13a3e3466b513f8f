#!/bin/sh
# check_launches.sh DEVICE [NAME...]: graphs, and kernels that launch kernels, under `cucc --check`: the planted mistakes among them, their twins, and right ones.
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP graphs and nested launches: for the CPU device"; exit 0; }
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- 'graphs/*' 'right_host/graph*' 'nested/*' right/nested
exec sh "$(dirname "$0")/../mistakes/run.sh" "$@"
