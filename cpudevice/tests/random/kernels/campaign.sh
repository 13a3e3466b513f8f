#!/bin/sh
# Random kernels on every core, with cucc and gcc alone (random_kernels_test is the same for one core, and reduces what is wrong).
#
#   cpudevice/tests/random/kernels/campaign.sh OUT FIRST_SEED SECONDS [JOBS]
#
# Each seed is a file of 20 kernels, which is compiled and run as loops, on fibers and under --check. What is written to the
# folder OUT grows with each seed, so that a campaign that is ended early has left all it found:
#   seeds.csv      seed,kernels,failed: the ways in which the file failed, or "none"
#   failures.txt   each kernel that fails by itself: seed, number, way, what was said, and the program
# RANDOM_KERNELS_WAYS="loops": in these ways only. RANDOM_KERNELS_BREAK=RULE: with a compiler of which that rule of the
# whitelist is switched off (cucc-compile --break); the campaign ends at the first file that fails.
set -u
cd "$(dirname "$0")/../../../.." || exit 2
[ $# -ge 3 ] || { sed -n 's/^#   tests/usage: tests/p' "$0" >&2; exit 2; }
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd) first=$2 seconds=$3 jobs=${4:-$(nproc)} kernels=20
ways=${RANDOM_KERNELS_WAYS:-loops fibers check}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

gcc -std=c11 -D_GNU_SOURCE -O1 -o "$work/generate" cpudevice/tests/random/kernels/*.c || exit 2
CUCC_BUILD=${CUCC_BUILD:-$PWD/build/cpu}
export CUCC_BUILD
if [ -n "${RANDOM_KERNELS_BREAK:-}" ]; then
    cp -r "$CUCC_BUILD" "$work/build" && CUCC_BUILD=$work/build || exit 2
    gcc -std=c11 -O1 -DCUCC_BREAK -o "$CUCC_BUILD/cucc-compile" -Icpudevice/compiler cpudevice/compiler/*.c cpudevice/compiler/*/*.c || exit 2
    export CUCC_BREAK=$RANDOM_KERNELS_BREAK
fi
[ -s "$out/seeds.csv" ] || echo "seed,kernels,failed" >"$out/seeds.csv"

compile() { # way, source, program
    case $1 in
    loops) cpudevice/cucc -O3 -std=c++17 -o "$3" "$2" ;;
    fibers) cpudevice/cucc -O1 --no-split -std=c++17 -o "$3" "$2" ;;
    check) cpudevice/cucc -O1 -g --check -std=c++17 -o "$3" "$2" ;;
    esac
}

# folder, way: compiles and runs the folder's k.cu; what is said goes to k.log
right() {
    compile "$2" "$1/k.cu" "$1/k" >"$1/k.log" 2>&1 && CUDA_CPU_WATCHDOG=10 CUDA_CPU_WORKERS=1 timeout 120 "$1/k" >>"$1/k.log" 2>&1
}

# folder, seed, way: which of the file's kernels fail by themselves
find_wrong() {
    n=0
    while [ $n -lt $kernels ]; do
        "$work/generate" "$2" 1 $n >"$1/k.cu"
        right "$1" "$3" || {
            echo "==== seed $2 kernel $n $3"
            head -c 4000 "$1/k.log"
            cat "$1/k.cu"
        } >>"$1/failures"
        n=$((n + 1))
    done
    [ -s "$1/failures" ] || echo "==== seed $2 $3: its kernels fail together and none by itself" >"$1/failures"
    flock "$work" cat "$1/failures" >>"$out/failures.txt"
    rm "$1/failures"
}

worker() { # number
    mkdir "$work/$1"
    seed=$((first + $1))
    while [ "$(date +%s)" -lt $end ]; do
        failed=
        for way in $ways; do
            "$work/generate" $seed $kernels >"$work/$1/k.cu" || exit 2
            right "$work/$1" $way || { failed="$failed $way"; [ -n "${CUCC_BREAK:-}" ] || find_wrong "$work/$1" $seed $way; }
        done
        echo "$seed,$kernels,${failed:-none}" >>"$out/seeds.csv"
        if [ -n "${CUCC_BREAK:-}" ] && [ -n "$failed" ]; then break; fi
        seed=$((seed + jobs))
    done
}

# The runtime and the checker are built once, before the workers need them.
mkdir "$work/first"
"$work/generate" "$first" 1 >"$work/first/k.cu"
for way in $ways; do
    right "$work/first" $way
done
end=$(($(date +%s) + seconds))
j=0
while [ $j -lt "$jobs" ]; do
    worker $j &
    j=$((j + 1))
done
wait
awk -F, 'NR > 1 { kernels += $2; if ($3 != "none") failed++ } END { printf "%d random kernels in %d files; %d files failed\n", kernels, NR - 1, failed }' "$out/seeds.csv"
! grep -qv ',none$\|^seed' "$out/seeds.csv"
