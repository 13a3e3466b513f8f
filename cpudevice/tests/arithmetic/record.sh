#!/bin/sh
# record.sh [WAY ...]: does the CPU device answer as an H100 did?
#
# make check does not run this: record.cu takes half a minute to compile, each way. A WAY is options of cucc in one word
# ("-O0", "-O3", "-O1 --fibers", "-O1 --check"); without one all four are tried. h100.txt is what record.cu printed on the
# GPU. PAIRS is the number of random pairs per operation: 2^14 or (in ways that optimise) 2^20.
#
# Left out: what a GPU answers to x / 0 and x % 0 of the same operands depends on the code around (Compound, Mixed,
# MixedLong: x % 0 is then x); how many pieces fit into the heap.
cd "$(dirname "$0")/../../.." || exit 2
here=cpudevice/tests/arithmetic
pairs=${PAIRS:-16384}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
[ $# -gt 0 ] || set -- "-O3" "-O0" "-O1 --fibers" "-O1 --check"

# name, hash of PAIRS random pairs, hash of the extreme ones; of other lines everything
shown() {
    awk -v column="$([ "$pairs" -gt 16384 ] && echo 3 || echo 2)" '
        /^#|^cucc|^(Compound|Mixed)|^pieces/ { next }
        NF > 4 && length($2) == 16 { print $1, $column, $4; next }
        /^[a-zA-Z0-9_]+ [^ ]/ && !/leak|memcheck/ { print }' "$1"
}

shown $here/h100.txt >"$tmp/want"
status=0
for way; do
    # shellcheck disable=SC2086
    cpudevice/cucc $way -std=c++17 -arch=sm_90 -o "$tmp/record" $here/record.cu || exit 2
    CUDA_CPU_TOOLS=racecheck "$tmp/record" "$pairs" >"$tmp/out" 2>"$tmp/messages"
    shown "$tmp/out" >"$tmp/got"
    if diff "$tmp/want" "$tmp/got" >"$tmp/diff"; then
        echo "$way: $(wc -l <"$tmp/want") lines as on an H100"
    else
        echo "$way: FAILED: other answers than an H100's: $(grep -c '^<' "$tmp/diff") lines; the first:"
        sed -n 1,6p "$tmp/diff"
        status=1
    fi
done
exit $status
