#!/bin/sh
# toolchain.sh: what a test's verdict depends on besides the files of the repository, in words: the machine, the widest
# instructions that it has, the compilers and the C library. What differs in none of these says the same of the same files.
export LC_ALL=C
uname -sm
grep -o -w -E 'avx2|avx512f|avx512vl|sve|sve2' /proc/cpuinfo 2>/dev/null | sort -u | tr '\n' ' '
echo "${CUCC_CC:-gcc} ${CUCC_CXX:-g++}"
for program in "${CUCC_CC:-gcc}" "${CUCC_CXX:-g++}" ld make sh; do
    { $program --version; } 2>/dev/null </dev/null | head -1
done
ldd --version 2>&1 | head -1
