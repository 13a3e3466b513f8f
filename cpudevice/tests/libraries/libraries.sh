#!/bin/sh
# The libraries behind NVIDIA's interfaces: the cases of cpudevice/tests/libraries, which compare with plain loops.
exec sh "$(dirname "$0")/../harness/cases.sh" libraries "$@"
