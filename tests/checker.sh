#!/bin/sh
# What `cucc --check` finds and how it says it, beyond the planted mistakes (check_mistakes.sh): the cases of tests/checker.
exec sh "$(dirname "$0")/shell/cases.sh" checker "$@"
