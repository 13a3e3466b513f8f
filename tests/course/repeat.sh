#!/bin/sh
# repeat.sh [--runs N] [--parallel P] [--cores-per-run C] [--compilers K] [--seconds S] [--out DIR]: is a test flaky? Runs
# make check of the CPU device N times (20), P of them at once (1), each on C cores of its own (2) beside K loops there that
# compile (as many as cores), and each in its own copy of the tree. make check does not run this. What the tests need is built once, before,
# without the compilers. Where it may mount, each run sees its copy at the tree's own place.
#
# Each run's outcome is added to DIR/runs.csv (build/repeat) as it ends, and what its failed tests said to DIR/failures.txt.
# What still runs after S seconds (none) is ended, and its row tells what had passed by then. The table is printed at the end;
# exit status 1 if a test failed or a run did not end.
# CHECK_ROOT=DIR as for tools/setup/need.sh, with an absolute path.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
here=$PWD
runs=20 parallel=1 cores=2 compilers= seconds=1000000 out=build/repeat
die() { echo "repeat.sh: $*" >&2; exit 2; }
while [ $# -gt 1 ]; do
    case $1 in
    --out) out=$2 ;;
    --runs | --parallel | --cores-per-run | --compilers | --seconds) case $2 in '' | *[!0-9]* | 0*) die "$1 takes a number from 1, not '$2'" ;; esac ;;
    *) break ;;
    esac
    case $1 in --runs) runs=$2 ;; --parallel) parallel=$2 ;; --cores-per-run) cores=$2 ;; --compilers) compilers=$2 ;; --seconds) seconds=$2 ;; esac
    shift 2
done
[ $# = 0 ] || die "unknown option $1, or it lacks its value (see the head of $0)"
[ $((parallel * cores)) -le "$(nproc)" ] || die "$parallel runs at once on $cores cores each are more than the $(nproc) cores here"
alone="unshare --mount --pid --fork --kill-child --mount-proc"
$alone mount --bind "$here" "$here" 2>/dev/null || alone=
mkdir -p "$out" && out=$(cd "$out" && pwd -P) || exit 2
now() { date +%s; }
start=$(now)
left() { n=$((start + seconds - $(now))); [ $n -gt 0 ] && echo $n || echo 1; }

# No GPU and no toolkit: what asks for a device itself shall find the CPU device.
PATH=$(printf '%s' "$PATH" | tr : '\n' | while read -r d; do [ -e "$d/nvcc" ] || printf '%s:' "$d"; done)/usr/bin:/bin
export PATH DEVICE=cpu CUDA_HOME=/nonexistent

# The inside of one run: the copy $1 seen at $2, on the cores $3, $4 compilers, make check into $1.log.
inside='if [ "$1" = "$2" ]; then cpudevice/built_for.sh >build/cpu/built_for; else mount --bind "$1" "$2"; fi && cd "$2" || exit 1
taskset -pc "$3" $$ >/dev/null || exit 1
for i in $(seq "$4"); do
    while :; do ${CC:-gcc} -O2 -g -w -D_GNU_SOURCE -c -o /dev/null tools/profiler/cuprof.c; done >/dev/null 2>&1 &
    loops="${loops-} $!"
done
make DEVICE=cpu check >"$1.log" 2>&1
status=$?
kill $loops 2>/dev/null
exit $status'

one_run() { # RUN SLOT
    copy=$work/$1
    mkdir "$copy"
    for f in "$here"/* "$here"/.[!.]*; do
        case ${f##*/} in .git) ;; build) mkdir "$copy/build" && for b in "$f"/*; do [ "$b" = "$out" ] || cp -rp "$b" "$copy/build/"; done ;; *) cp -rp "$f" "$copy/" ;; esac
    done
    begin=$(now)
    place=$copy
    [ -z "$alone" ] || place=$here
    cd "$copy" || exit 1
    timeout -k 5 "$(left)" $alone sh -c "$inside" sh "$copy" "$place" \
        $(($2 * cores))-$(($2 * cores + cores - 1)) "${compilers:-$cores}"
    status=$?
    counts=$(sed -n 's/^tests: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1,\2,\3/p' "$copy.log")
    outcome=passed
    [ $status = 0 ] || outcome=failed
    if [ -z "$counts" ]; then
        outcome="cut off"
        counts=$(cat "$copy"/build/check-results/*.tap "$copy"/build/check-results/test.sh-*.log 2>/dev/null |
            awk '/^ok.*# SKIP/ {s++; next} /^ok/ {p++} /^not ok/ {f++} END {printf "%d,%d,%d", p, f, s}')
    fi
    failed=$(sed -n "s/^FAILED \([^ ]*\) \(.*\) (status.*/\1:\2/p" "$copy.log" | paste -sd " " -)
    printf '%s,%s,%s,%s,%s\n' "$1" "$outcome" "$counts" $(($(now) - begin)) "$failed" >>"$out/runs.csv"
    [ "$outcome" = passed ] || { echo "==== run $1: $outcome"; cat "$copy.log"; } >>"$out/failures.txt"
    rm -rf "$copy"
}

main() {
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' INT TERM HUP
    rm -f "$out/failures.txt"
    echo "building, once ..."
    timeout "$(left)" make -k -j "$(nproc)" DEVICE=cpu tests cuprof solutions-check labs-check >"$out/build.log" 2>&1 || { tail -20 "$out/build.log"; die "it does not build"; }
    echo "built in $(($(now) - start)) s; $runs runs of make check, $parallel at once ..."
    {
        printf '# device: %s, %s cores\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)"
        printf '# date: %s\n# command: tests/course/repeat.sh --runs %s --parallel %s --cores-per-run %s --compilers %s\n' \
            "$(date +%F)" "$runs" "$parallel" "$cores" "${compilers:-$cores}"
        echo 'run,outcome,passed,failed,skipped,seconds,failed_tests'
    } >"$out/runs.csv"
    slot=0
    while [ $slot -lt "$parallel" ]; do
        (run=$((slot + 1)); while [ $run -le "$runs" ] && [ "$(left)" -gt 1 ]; do one_run $run $slot; run=$((run + parallel)); done) &
        slot=$((slot + 1))
    done
    wait

    grep -v '^#' "$out/runs.csv" | { read -r head; echo "$head"; sort -n; } | tr , '\t'
    awk -F, -v runs="$runs" '/^[0-9]/ {n++; done += $2 != "cut off"; n_failed += $4 > 0
            m = split($7, name, " "); for (i = 1; i <= m; i++) times[name[i]]++}
        END {for (t in times) printf "failed in %d of %d: %s\n", times[t], n, t
            printf "%d runs of %d ended, %d with a failed test; %s s\n", done, runs, n_failed, "'$(($(now) - start))'"
            exit done != runs || n_failed}' "$out/runs.csv"
}
main; exit # the whole script has been read by now
