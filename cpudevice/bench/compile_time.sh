#!/bin/sh
# How long cucc takes for each lab, beside the cucc of an earlier commit: both compile that commit's labs, in turn, to an
# object. A lab of then that cucc refuses now (as nvcc does) is compared with the lab of today. Prints CSV: medians of the
# processor time in seconds, of all that cucc runs, and their ratio.
#
# usage: cpudevice/bench/compile_time.sh [-n RUNS] COMMIT [LAB.cu ...]
export LC_ALL=C
set -u

runs=5
while getopts n: option; do
    case $option in
    n) runs=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -lt 1 ]; then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
commit=$1
shift
cd "$(dirname "$0")/../.." || exit 2
now=$(pwd) tmp=$(mktemp -d) before=$(mktemp -d)
trap 'git worktree remove --force "$before" 2>/dev/null; rm -rf "$tmp" "$before"' 0
git worktree add --force --detach "$before" "$commit" >/dev/null 2>&1 || { echo "compile_time.sh: no commit $commit" >&2; exit 2; }

# Where cucc lies, a lab: compiles the lab that lies where we are, and prints the seconds of processor time.
seconds() {
    time=$({ /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >"$0" 2>&1' "$tmp/said" "$1/cpudevice/cucc" \
        -O3 -std=c++17 -w -fopenmp -DLAB_CPU -Icommon -c -o "$tmp/lab.o" "$2" || echo failed; } 2>&1)
    case $time in *failed*) return 1 ;; esac
    echo "$time" | awk '{ print $1 + $2 }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

cat <<END
# device: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(${CUCC_CXX:-g++} --version | head -1)
# date: $(date +%Y-%m-%d)
# command: cpudevice/bench/compile_time.sh -n $runs $commit
lab,before_s,now_s,ratio
END
"$before/cpudevice/cucc" --build && "$now/cpudevice/cucc" --build || exit 1
cd "$before" || exit 1
[ $# -gt 0 ] || set -- lecture*/*.cu
for lab; do
    theirs=$before
    seconds "$now" "$lab" >/dev/null || theirs=$now
    (cd "$theirs" && seconds "$now" "$lab" >/dev/null) || { echo "$lab: does not compile" >&2; continue; }
    : >"$tmp/before"
    : >"$tmp/now"
    for _ in $(seq "$runs"); do
        seconds "$before" "$lab" >>"$tmp/before"
        (cd "$theirs" && seconds "$now" "$lab") >>"$tmp/now"
    done
    echo "$(basename "$lab" .cu),$(median <"$tmp/before"),$(median <"$tmp/now")" | awk -F, '{ printf "%s,%.2f,%.2f,%.2f\n", $1, $2, $3, $3 / $2 }'
done
