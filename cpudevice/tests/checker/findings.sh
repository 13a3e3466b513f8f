#!/bin/sh
# What `cucc --check` finds and how it says it, beyond the planted mistakes (check_mistakes.sh): the cases of cpudevice/tests/checker/findings.
exec sh "$(dirname "$0")/../harness/cases.sh" checker/findings "$@"
