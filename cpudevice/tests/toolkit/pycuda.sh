#!/bin/sh
# pycuda with cpudevice/toolkit as its CUDA Toolkit: the cases of cpudevice/tests/toolkit/pycuda.
exec sh "$(dirname "$0")/../harness/cases.sh" toolkit/pycuda "$@"
