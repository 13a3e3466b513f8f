#!/bin/sh
# check_mistakes.sh DEVICE [NAME...]: the planted mistakes: every fourth one and its twin, to keep `make check` short; all of
# them with CHECK_ALL=1, but for those that this compiler makes it miss (../mistakes/misses).
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP mistakes: for the CPU device"; exit 0; }
[ $# = 0 ] || shift
cd "$(dirname "$0")/../mistakes" || exit 2
if [ $# = 0 ]; then
    case $(${CUCC_CXX:-g++} --version | head -n 1) in
    *clang*) compiler=clang ;;
    *' 10.'*) compiler=gcc-10 ;;
    *) compiler=none ;;
    esac
    set -- $(ls */*.cu | sed 's/\.cu$//' | awk -v all="${CHECK_ALL:+1}" 'all || NR % 4 == 1' |
        grep -vxF "$(sed -n "s/^$compiler  *\([a-z_0-9/]*\).*/\1/p" misses; echo none)")
fi
exec ./run.sh "$@"
