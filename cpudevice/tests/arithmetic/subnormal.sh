#!/bin/sh
# subnormal.sh: subnormal numbers of float are the GPU's, with -ftz=true and without: subnormal.cu prints here what it printed
# on an H200 (subnormal_h200.txt).
#
# Left out with -ftz=true: -x and fabsf(x), which on a GPU flush what they give; a minimum written as x < y ? x : y, for which
# a processor may have one instruction that flushes; the sign of a remainder that becomes 0.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP subnormal: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh

here=cpudevice/tests/arithmetic
# of_gpu FTZ: what it answered, without what is left out
of_gpu() { sed -n "/^-ftz=$1\$/,/^-ftz=$2\$/{/^-ftz/!p;}" $here/subnormal_h200.txt | left_out "$1"; }
left_out() { if [ "$1" = true ]; then grep -v -E '^(Negate|Absolute|Select|Remainder) '; else cat; fi; }

compare() { # FTZ OPTIONS
    # shellcheck disable=SC2086
    cpudevice/cucc -ftz="$1" $2 -std=c++17 -o "$work/subnormal" $here/subnormal.cu >"$work/log" 2>&1 &&
        CUDA_CPU_TOOLS=racecheck "$work/subnormal" 2>"$work/log" | left_out "$1" >"$work/here" &&
        of_gpu "$1" "$([ "$1" = true ] && echo false)" >"$work/gpu" && [ -s "$work/gpu" ] &&
        diff "$work/gpu" "$work/here" >"$work/log"
    result $? "subnormal numbers are an H200's with -ftz=$1 $2"
}
for options in -O3 -O0 "-O1 --fibers" "-O1 --check"; do
    compare true "$options"
done
compare false -O3
exit $failed
