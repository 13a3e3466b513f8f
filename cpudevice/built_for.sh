#!/bin/sh
# built_for.sh: one line that stands for what a build depends on besides its sources: where it lies (debug information
# names the files), the compilers, and this CPU's instructions (-march=native). cucc leaves it beside the runtime as
# `built_for`; where it differs, as in a copied tree or on another machine, everything is built anew.
export LC_ALL=C
{
    cd "$(dirname "$0")" && pwd -P
    uname -m
    echo "${CUCC_CC:-gcc} ${CUCC_CXX:-g++}"
    { ${CUCC_CC:-gcc} --version; ${CUCC_CXX:-g++} --version; } | grep -v '^InstalledDir' # clang's follows PATH
    grep -E '^(flags|Features|CPU part)' /proc/cpuinfo | sort -u
} 2>/dev/null | cksum
