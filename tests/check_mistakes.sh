#!/bin/sh
# The planted mistakes: every fourth one and its twin here, to keep `make check`
# short; all of them with tests/mistakes/run.sh (or CHECK_ALL=1).
cd "$(dirname "$0")/.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "mistakes: for the CPU device"; exit 0; }
set --
[ -n "${CHECK_ALL:-}" ] || set -- $(cd tests/mistakes && ls *.cu right/*.cu | sed 's/\.cu$//' | awk 'NR % 4 == 1')
exec tests/mistakes/run.sh "$@"
