#!/bin/sh
# notes_test.sh DEVICE: what the notes promise. The program on lecture 1's first page builds, runs and has no mistake in it
# (without its guard it has one). What the notes name is there: notes_links.py.
export LC_ALL=C
device=${1:-cpu}
failed=0
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

# holds WHAT: the status of the command before it, and what it left in $out/missing
holds() {
    if [ $? = 0 ] && [ ! -s "$out/missing" ]; then
        echo "ok"
    else
        echo "FAILED: $1"
        cat "$out/missing" 2>/dev/null
        failed=1 && echo "not ok"
    fi
    rm -f "$out/missing"
}

cp lecture01_profiling/first/program.cu "$out/program.cu"
compiler=cpudevice/cucc
[ "$device" = cuda ] && compiler=nvcc
$compiler -o "$out/program" "$out/program.cu" && [ "$("$out/program")" = "0 2 4 6 8 10 12 14 16 18 " ]
holds "the program on lecture 1's first page doubles ten numbers"
if [ "$device" = cpu ]; then
    cpudevice/cucc --check -g -o "$out/program" "$out/program.cu" && "$out/program" >"$out/says" 2>&1
    holds "it has no mistake"
    sed '/if (i < n)/d' "$out/program.cu" >"$out/unguarded.cu"
    cpudevice/cucc --check -g -o "$out/unguarded" "$out/unguarded.cu" && { "$out/unguarded" >"$out/says" 2>&1; grep -q '^memcheck: ' "$out/says"; }
    holds "without its guard it has one"
    sed '/__syncthreads/d' lecture05_shared_memory/first/rotate.cu >"$out/race.cu"
    cpudevice/cucc --check -g -o "$out/race" "$out/race.cu" && { "$out/race" >"$out/says" 2>&1; grep -q '^racecheck: ' "$out/says"; }
    holds "lecture 5's first kernel has a race without its barrier"
else
    echo "ok # SKIP mistakes of the first page: no checker on a GPU"
fi

make -s DEVICE="$device" "build/$device/lecture01_profiling/first" >"$out/says" 2>&1 && "build/$device/lecture01_profiling/first" >"$out/says" 2>&1
grep -E '^    (element|block|thread) ' "$out/says" | while read -r line; do grep -qF "    $line" lecture01_profiling/README.md || echo "    $line" >>"$out/missing"; done
grep -qE '^    thread ' "$out/says"
holds "what lab first prints is what lecture 1 shows"
$compiler -o "$out/rotate" lecture05_shared_memory/first/rotate.cu && [ "$("$out/rotate")" = "1 2 3 4 5 6 7 0 " ]
holds "and turns eight numbers with it"

[ $failed = 0 ]
