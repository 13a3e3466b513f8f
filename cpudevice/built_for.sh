#!/bin/sh
# built_for.sh: one line that stands for what a build depends on besides its sources: where it lies (debug information
# names the files), the compilers, and this CPU's instructions (-march=native). cucc leaves it beside the runtime as
# `built_for`; where it differs, as in a copied tree or on another machine, everything is built anew.
# If a command fails, it prints nothing, and its exit status is not 0: a sum of fewer lines would differ for no reason.
set -e
export LC_ALL=C
place=$(cd "$(dirname "$0")" && pwd -P)
machine=$(uname -m)
cc=$(${CUCC_CC:-gcc} --version)
cxx=$(${CUCC_CXX:-g++} --version)
compilers=$(printf '%s\n' "$cc" "$cxx" | grep -v '^InstalledDir') # clang's follows PATH
cpu=
if [ -e /proc/cpuinfo ]; then
    cpu=$(grep -E '^(flags|Features|CPU part)' /proc/cpuinfo) || [ $? = 1 ] # 1: no such line
    cpu=$(printf '%s\n' "$cpu" | sort -u)
fi
printf '%s\n' "$place" "$machine" "${CUCC_CC:-gcc} ${CUCC_CXX:-g++}" "$compilers" "$cpu" | cksum
