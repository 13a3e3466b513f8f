#!/bin/sh
# Inline PTX that the CPU device has not: the cases of cpudevice/tests/ptx/unsupported.
exec sh "$(dirname "$0")/../harness/cases.sh" ptx/unsupported "$@"
