#!/bin/sh
# CUB and Thrust, CCCL's own headers, as cucc finds them, and what it says where there are none: the cases of
# cpudevice/tests/libraries/cccl.
exec sh "$(dirname "$0")/../harness/cases.sh" libraries/cccl "$@"
