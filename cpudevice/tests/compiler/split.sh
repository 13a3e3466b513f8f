#!/bin/sh
# Kernels that cucc splits at their barriers into loops over the threads: the cases of cpudevice/tests/compiler/split.
exec sh "$(dirname "$0")/../harness/cases.sh" compiler/split "$@"
