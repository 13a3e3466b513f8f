#!/bin/sh
# CMake with cucc as its CUDA compiler: the cases of cpudevice/tests/toolkit/cmake.
exec sh "$(dirname "$0")/../harness/cases.sh" toolkit/cmake "$@"
