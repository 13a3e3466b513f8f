#!/bin/sh
# The order of blocks (CUDA_CPU_ORDER): the cases of cpudevice/tests/runtime/order.
exec sh "$(dirname "$0")/../harness/cases.sh" runtime/order "$@"
