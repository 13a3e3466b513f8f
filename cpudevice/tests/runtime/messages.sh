#!/bin/sh
# What the runtime says: the cases of cpudevice/tests/runtime/messages.
exec sh "$(dirname "$0")/../harness/cases.sh" runtime/messages "$@"
