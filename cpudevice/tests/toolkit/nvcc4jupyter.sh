#!/bin/sh
# nvcc4jupyter's cells with cpudevice/toolkit's nvcc: the cases of cpudevice/tests/toolkit/nvcc4jupyter.
exec sh "$(dirname "$0")/../harness/cases.sh" toolkit/nvcc4jupyter "$@"
