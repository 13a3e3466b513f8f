#!/bin/sh
# cpudevice/toolkit as other builders use a CUDA Toolkit: the cases of cpudevice/tests/toolkit/toolkit.
exec sh "$(dirname "$0")/../harness/cases.sh" toolkit/toolkit "$@"
