#!/bin/sh
# grading_times.sh [EXERCISE...]: how long a grade takes, by ./run as a student waits for it and by tools/grade: right
# answers, and an endless loop. On a machine with nothing else to do a right answer is to be graded in less than 3 s and
# an endless loop told in less than 8 s; the CPU time is printed too, which says something on a busy machine as well.
# make check does not run this.
set -u
cd "$(dirname "$0")/../.." || exit 1
n=0 failed=0
[ $# -gt 0 ] || set -- 1.6 3.1 3.4 5.4 5.8 11.1 14.2 14.8
unset MAKEFLAGS MAKELEVEL
tools/setup/need.sh bubblewrap || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/times.XXXXXX") || exit 1
trap 'rm -rf "$work"' 0
trap 'exit 1' 1 2 15
busy=$(cut -d' ' -f1 /proc/loadavg)
idle=$(awk -v b="$busy" 'BEGIN { print b < 0.6 }')
echo "# load $busy, $(nproc) cores"

solution() { ls solutions/lecture"$(printf %02d "${1%.*}")"_*/ex"$(printf %02d "${1#*.}")"_*.cu; }
place() { s=$(solution "$1") && s=${s#solutions/} && echo "${s%/*}/exercises/${s##*/}"; }
answer() { # exercise, what is added to its first answer, file
    mkdir -p "${3%/*}"
    awk -v more="$2" '/>>> answer/ { if (more != "") print more; more = ""; next } !/TODO\(ex|<<< answer|\/\/ stub:/' "$(solution "$1")" >"$3"
}
report() { # name, limit in seconds, file of what was said (beside it timed()'s), what it must say
    n=$((n + 1))
    took=$(awk '/^real/ { print $2 }' "$3.time")
    line="$1: $took s, $(awk '/^user|^sys/ { c += $2 } END { printf "%.1f", c }' "$3.time") s of CPU time"
    if ! grep -Eq "$4" "$3"; then
        failed=1
        echo "not ok $n - $line: it does not say '$4'"
        sed 's/^/# /' "$3"
    elif [ "$idle" = 1 ] && awk -v t="$took" -v most="$2" 'BEGIN { exit t < most }'; then
        failed=1
        echo "not ok $n - $line: more than $2 s"
    else
        echo "ok $n - $line$([ "$idle" = 1 ] || echo ' # the machine is not idle')"
    fi
}
timed() { # file of what is said, command
    bash -c 'out=$1; shift; TIMEFORMAT="real %R
user %U
sys %S"; { time "$@" >"$out" 2>&1; } 2>"$out.time"' timed "$@"
}

# The student's: a copy of the course, so that nobody's exercises are touched.
mkdir "$work/course"
for f in * .[a-z]*; do case $f in build | .git) ;; *) cp -rp "$f" "$work/course/" ;; esac; done
mkdir -p "$work/course/build"
for f in cpu check tools; do [ ! -e build/$f ] || cp -rp build/$f "$work/course/build/"; done
(cd "$work/course" && cpudevice/built_for.sh >build/cpu/built_for && ./run 3.1) >/dev/null 2>&1 # what is built once
for e; do
    answer "$e" '' "$work/course/$(place "$e")"
    (cd "$work/course" && timed "$work/said" ./run --device cpu "$e")
    report "./run $e" 3 "$work/said" "exercise $e passes"
done
answer 3.1 '    for (volatile int k = 0; k < 2; k = 0) {}' "$work/course/$(place 3.1)"
(cd "$work/course" && timed "$work/said" ./run --device cpu 3.1)
report './run 3.1, an endless loop' 8 "$work/said" 'no progress'

# The teacher's.
tools/grade -o "$work/grades" -e "$(echo "$*" | tr ' ' ,)" "$work/course" >/dev/null 2>&1 # builds the judges
for e; do
    answer "$e" '' "$work/$e/$(place "$e")"
    timed "$work/said" tools/grade -o "$work/grades" -e "$e" "$work/$e"
    report "tools/grade $e" 3 "$work/said" '1 passed'
done
answer 3.1 '    for (volatile int k = 0; k < 2; k = 0) {}' "$work/endless/$(place 3.1)"
timed "$work/said" tools/grade -o "$work/grades" -e 3.1 "$work/endless"
report 'tools/grade 3.1, an endless loop' 8 "$work/said" '1 failed'
echo "1..$n"
exit $failed
