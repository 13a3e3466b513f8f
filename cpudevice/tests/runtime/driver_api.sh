#!/bin/sh
# The driver interface: modules of what cucc makes, virtual memory, fills, streams that wait, error codes: the cases of
# cpudevice/tests/runtime/driver_api.
exec sh "$(dirname "$0")/../harness/cases.sh" runtime/driver_api "$@"
