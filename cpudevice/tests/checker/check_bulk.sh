#!/bin/sh
# Regions that `cucc --check` runs without callbacks: mistakes that come only after the region has run well, so that it is
# the bulk check that must see them; programs that are right; and code that must not be taken for such.
exec sh "$(dirname "$0")/../harness/cases.sh" checker/bulk "$@"
