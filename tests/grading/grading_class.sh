#!/bin/sh
# grading_class.sh [DEVICE] [STUDENTS]: tools/grade on a generated class: right, wrong, by the wrong technique, hostile, not
# begun and missing answers, shuffled, as folders and archives. The grader is killed in the middle and taken up again;
# every verdict must be as expected, and the same in a second run. 20 students, or as many as are said. Prints how long
# the second run took, and its memory.
set -u
cd "$(dirname "$0")/../.." || exit 1
n=0 failed=0
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1"; }
is() { if eval "$2"; then ok "$1"; else not_ok "$1"; fi; }
# The reports of those whose verdicts differ.
why() { diff "$work/expected" "$1.verdicts" | sed -n 's/^> //p' | while read -r s e rest; do sed -n "/^$e /,/^$/p" "$1/students/$s.txt" | sed "s/^/# $s: /" | head -n 12; done; }

if [ "${1:-cpu}" != cpu ] || ! tools/setup/need.sh bubblewrap || ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    echo "ok 1 - a class # SKIP no sandbox here"
    echo 1..1
    exit 0
fi
students=${2:-20} list=3.1,3.4,5.8,14.8
unset MAKEFLAGS MAKELEVEL
work=$(mktemp -d "${TMPDIR:-/tmp}/grading.XXXXXX") || exit 1
trap 'rm -rf "$work"' 0

# As it is handed in: the solution through a sed script, without what makes it a solution.
hand_in() { sed -e "$2" "$1" | grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:'; }
variant() { # exercise, number, its mutants, a line of hostile code
    s=solutions/$1.cu m=tests/mutants/$1 to=$work/pool/$2
    mkdir -p "$to"
    hand_in "$s" '' >"$to/passed.0"
    tools/course.sh stub "$s" >"$to/todo.0"
    k=0
    for f in $3; do
        k=$((k + 1))
        case $f in
        *other_way) to_word=passed ;;
        *) to_word=failed ;;
        esac
        hand_in "$s" "$(cat "$m/$f.sed")" >"$to/$to_word.$k"
    done
    hand_in "$s" "s/>>> answer/&\n$4/" >"$to/failed.hostile1"
    hand_in "$s" '/>>> answer/,/<<< answer/d' | sed 's/^LAB_MAIN.*/int main() { puts("all pass"); }/' >"$to/failed.hostile2"
}
variant lecture03_cuda_basics/ex01_index 3.1 'from_one one_thread_per_block other_way strided_by_blocks thread_and_block_swapped' '    _exit(0);'
variant lecture03_cuda_basics/ex04_two_d 3.4 'one_block_per_element grid_swapped other_way rows_for_cols x_along_rows' '    for (;;) fork();'
variant lecture05_shared_memory/ex08_histogram 5.8 \
    'no_barrier not_zeroed other_way plain_add plain_flush plain_global thread_0_counts' '    lab_skip("later");'
variant lecture14_tiling/ex08_fused_attention 14.8 \
    'maximum_not_kept other_way output_not_rescaled sum_not_rescaled output_in_memory' '    socket(2, 1, 0);'

# For each student and exercise one of the pool, by a generator with a fixed seed; absent every now and then.
place() {
    case $1 in
    3.1) echo lecture03_cuda_basics/exercises/ex01_index.cu ;;
    3.4) echo lecture03_cuda_basics/exercises/ex04_two_d.cu ;;
    5.8) echo lecture05_shared_memory/exercises/ex08_histogram.cu ;;
    14.8) echo lecture14_tiling/exercises/ex08_fused_attention.cu ;;
    esac
}
mkdir "$work/class"
: >"$work/expected"
awk -v students="$students" 'BEGIN { srand(16); for (i = 1; i <= students; i++) printf "s%03d %d %d %d %d\n", i, rand() * 1e6, rand() * 1e6, rand() * 1e6, rand() * 1e6 }' |
    while read -r student a b c d; do
        mkdir "$work/class/$student"
        for pick in "3.1 $a" "3.4 $b" "5.8 $c" "14.8 $d"; do
            e=${pick% *} r=${pick#* }
            if [ $((r % 17)) = 0 ]; then
                echo "$student $e missing"
                continue
            fi
            set -- "$work/pool/$e"/*
            [ $((r % 3)) = 0 ] && set -- "$work/pool/$e"/passed.* # a third is right
            shift $((r / 17 % $#))
            to=$work/class/$student/$(place "$e")
            mkdir -p "${to%/*}"
            cp "$1" "$to"
            case ${1##*/} in
            passed*) echo "$student $e passed" ;;
            todo*) echo "$student $e to do" ;;
            *) echo "$student $e failed" ;;
            esac
        done
        case $student in *5) (cd "$work/class" && tar -czf "$student.tar.gz" "$student" && rm -r "$student") ;; esac
    done >"$work/expected"
sort "$work/expected" -o "$work/expected"

verdicts() {
    for f in "$1"/students/*.txt; do
        name=${f##*/}
        sed -n "s/^\([0-9]*\.[0-9]*\) .*: \([a-z ]*\)\$/${name%.txt} \1 \2/p" "$f"
    done | sort
}
graded() { find "$1" -name result 2>/dev/null | wc -l; }

# Killed when a quarter is done.
tools/grade -o "$work/first" -e $list "$work"/class/* >"$work/first.out" 2>&1 &
grader=$!
while kill -0 $grader 2>/dev/null && [ "$(graded "$work/first")" -lt "$students" ]; do sleep 0.2; done
kill -9 $grader 2>/dev/null
wait $grader 2>/dev/null
before=$(graded "$work/first")
is 'it was killed in the middle' '[ "$before" -gt 0 ] && [ "$before" -lt $((students * 4)) ] && [ ! -e "$work/first/grades.csv" ]'
tools/grade -o "$work/first" -e $list "$work"/class/* >"$work/first.out" 2>&1
is 'taken up again, it ends' '[ $? = 0 ]'
verdicts "$work/first" >"$work/first.verdicts"
is "every verdict of $students submissions is as expected" 'diff "$work/expected" "$work/first.verdicts" >&2'
why "$work/first"
start=$(date +%s)
tools/grade -o "$work/second" -e $list "$work"/class/* >"$work/second.out" 2>&1
took=$(($(date +%s) - start))
verdicts "$work/second" >"$work/second.verdicts"
is 'a second run says the same' 'cmp -s "$work/first.verdicts" "$work/second.verdicts"'
why "$work/second"
tail -n 2 "$work/second.out" | head -n 1 | sed 's/^/# /'
find "$work/second" -name result -exec head -n 1 {} \; |
    awk -v took="$took" '{ cpu += $5; if ($6 > most) most = $6 } END { printf "# %d grades in %d s, %.2f a second; %.2f s of CPU time in sandboxes each; a sandbox had %d MB at most\n", NR, took, NR / (took ? took : 1), cpu / NR, most / 1048576 }'
echo "1..$n"
exit $failed
