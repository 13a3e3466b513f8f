#!/bin/sh
# The libraries behind NVIDIA's interfaces: the cases of tests/libraries, which compare with plain loops.
exec sh "$(dirname "$0")/shell/cases.sh" libraries "$@"
