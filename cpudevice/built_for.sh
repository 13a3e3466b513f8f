#!/bin/sh
# built_for.sh: one line of what a build depends on besides its sources: where it is (debug information names the files),
# the compilers, and this CPU's instructions (-march=native). cucc leaves it beside the runtime as `built_for`; where it
# differs, as in a copied tree or on another machine, everything is built anew.
# If a command fails, it prints nothing, and its exit status is not 0: a line with less in it would differ for no reason.
# Each call of cucc runs this, so it starts few programs, and none where CUCC_MACHINE says what `built_for.sh --machine`
# found before, with compilers of these names and this PATH.
set -e
export LC_ALL=C
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
option=${1-} names="${CUCC_CC:-gcc} ${CUCC_CXX:-g++} $PATH"
set -f # what follows reads lines: the names, and what was found with them
IFS='
'
# shellcheck disable=SC2086 # lines are words
set -- ${CUCC_MACHINE-}
if [ "${1-}" != "$names" ]; then
    IFS=' ' machine=$(uname -m)
    cc=$(${CUCC_CC:-gcc} --version)
    cxx=$(${CUCC_CXX:-g++} --version)
    case $cc$cxx in *InstalledDir*) # clang's follows PATH
        cc=$(printf '%s\n' "$cc" "$cxx" | grep -v '^InstalledDir') cxx= ;;
    esac
    cpu=
    [ ! -e /proc/cpuinfo ] || cpu=$(awk '/^(flags|Features|CPU part)/ && !said[$0]++' /proc/cpuinfo)
    IFS='
'
    # shellcheck disable=SC2086 # lines are words
    set -- "$names" $machine "${CUCC_CC:-gcc} ${CUCC_CXX:-g++}" $cc $cxx $cpu
fi
if [ "$option" = --machine ]; then
    printf '%s\n' "$*"
else
    shift
    cd -P "$here/"
    IFS=' '
    printf '%s\n' "$* $PWD"
fi
