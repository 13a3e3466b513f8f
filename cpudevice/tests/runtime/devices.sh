#!/bin/sh
# Several devices (CUDA_CPU_DEVICES): the cases of cpudevice/tests/runtime/devices.
exec sh "$(dirname "$0")/../harness/cases.sh" runtime/devices "$@"
