#!/bin/sh
# Kernels that cucc splits at their barriers into loops over the threads: the cases of tests/split.
exec sh "$(dirname "$0")/shell/cases.sh" split "$@"
