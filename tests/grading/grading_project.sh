#!/bin/sh
# grading_project.sh [DEVICE]: tools/grade on a project: points for the stages that pass, and the class's leaderboard, which a
# later run adds to.
# shellcheck source=/dev/null
. "$(dirname "$0")/../harness/sandbox.sh"
needs_sandbox "${1:-cpu}" "a project"
case ${CUCC_CXX-} in *clang*) echo "ok 1 - a project # SKIP clang joins and splits accesses differently from g++" && echo 1..1 && exit 0 ;; esac

project=lecture05_shared_memory/exercises/ex15_project_portrait.cu
mutants=tests/mutants/lecture05_shared_memory/ex15_project_portrait
hand_in() { # student, a script for sed that changes the solution
    mkdir -p "$work/$1/${project%/*}"
    sed "$2" solutions/lecture05_shared_memory/ex15_project_portrait.cu |
        grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:' >"$work/$1/$project"
}
grade() { tools/grade -o "$work/grades" -e 5.15 "$@" >"$work/said" 2>&1; }
turns() { sed -n "s/^5.15,$1,\([1-9][0-9]*\),$2,12,20..-..-..\$/\1/p" "$work/grades/leaderboard.csv"; }

hand_in ada ''
hand_in bob "$(cat $mutants/rows_of_32.sed)"
hand_in cleo "$(cat $mutants/mirrored.sed)"
hand_in dan "$(cat $mutants/sums_in_registers.sed)"
grade "$work/ada" "$work/bob" "$work/cleo"
is "all points, those of two stages, and none" \
    "grep -q '^ada,12,12,12,' $work/grades/grades.csv && grep -q '^bob,7,7,12,' $work/grades/grades.csv && grep -q '^cleo,0,0,12,' $work/grades/grades.csv"
is "the student reads which stage is next" "grep -q 'Next is stage 3, no bank conflicts' $work/grades/students/bob.txt"
is "Gradescope gets the points" "grep -q '\"score\": 7, \"max_score\": 12, \"status\": \"failed\"' $work/grades/students/bob.results.json"
ada=$(turns ada 12) bob=$(turns bob 7)
is "the leaderboard has the turns of right answers alone" \
    "[ ${ada:-0} -gt 0 ] && [ ${bob:-0} -gt $ada ] && ! grep -q cleo $work/grades/leaderboard.csv"
grade "$work/dan"
dan=$(turns dan 12)
is "a later run adds to it, the fewest turns first" \
    "[ ${dan:-0} -gt 0 ] && [ $dan -lt $ada ] && [ \"\$(sed -n 2,4p $work/grades/leaderboard.csv | cut -d, -f2 | tr '\\n' ' ')\" = 'dan ada bob ' ]"
end_tests
