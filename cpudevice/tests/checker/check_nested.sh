#!/bin/sh
# check_nested.sh DEVICE [NAME...]: Kernels that launch kernels under `cucc --check`: the planted mistakes among them, their twins, and a right one.
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP nested: for the CPU device"; exit 0; }
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- 'nested/*' right/nested
exec sh "$(dirname "$0")/../mistakes/run.sh" "$@"
