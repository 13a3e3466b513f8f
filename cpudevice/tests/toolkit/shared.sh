#!/bin/sh
# Tools that load libcuda.so.1 while they run, from cpudevice/toolkit/lib64: the cases of cpudevice/tests/toolkit/shared.
exec sh "$(dirname "$0")/../harness/cases.sh" toolkit/shared "$@"
