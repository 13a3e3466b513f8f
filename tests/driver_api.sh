#!/bin/sh
# The driver interface: modules of what cucc makes, virtual memory, fills, streams that wait, error codes: the cases of
# tests/driver_api.
exec sh "$(dirname "$0")/shell/cases.sh" driver_api "$@"
