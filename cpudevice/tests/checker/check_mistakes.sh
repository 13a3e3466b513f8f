#!/bin/sh
# The planted mistakes: every fourth one and its twin here, to keep `make check`
# short; all of them with cpudevice/tests/mistakes/run.sh (or CHECK_ALL=1).
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP mistakes: for the CPU device"; exit 0; }
set --
[ -n "${CHECK_ALL:-}" ] || set -- $(cd cpudevice/tests/mistakes && ls *.cu right/*.cu | sed 's/\.cu$//' | awk 'NR % 4 == 1')
case $(${CUCC_CXX:-g++} --version | head -n 1) in # the compilers with which some are missed
*clang*) compiler=clang ;;
*' 10.'*) compiler=gcc-10 ;;
*) compiler=none ;;
esac
set -- $(printf '%s\n' "$@" | grep -vxF "$(sed -n "s/^$compiler  *\([a-z_0-9/]*\).*/\1/p" cpudevice/tests/mistakes/misses; echo none)")
out=$(cpudevice/tests/mistakes/run.sh "$@")
status=$?
printf '%s\n' "$out"
printf '%s\n' "$out" | awk '/^mistakes: [0-9]+ of [0-9]+ / { for (i = 0; i < $4; i++) print i < $2 ? "ok" : "not ok" }'
exit $status
