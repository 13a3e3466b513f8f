#!/bin/sh
# grading_printed.sh [DEVICE]: the commands for GitHub Classroom, GitLab and Gradescope, as docs/grading.md prints them, in a
# fresh folder of a student. Only the exercises are fewer, and a copy of this checkout takes the place of what git would fetch
# (without the trees of mutants, which another process may be making).
# shellcheck source=/dev/null
. "$(dirname "$0")/../harness/sandbox.sh"
needs_sandbox "${1:-cpu}" "printed commands"

printed() { sed -n "s/^.*\($1[^\`]*results\.json\|$1.*3\.9\).*/\1/p" docs/grading.md | sed 's/3\.1-3\.9/3.1/'; }
hand_in() { # folder, file: the solution without what makes it one
    mkdir -p "$1/$(dirname "$2")"
    grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:' solutions/lecture03_cuda_basics/ex01_index.cu >"$1/$2"
}
move() { # FROM TO: a checkout, of which what was built will do there too
    mv "$1" "$2" && "$2/cpudevice/built_for.sh" >"$2/build/cpu/built_for"
}
place=lecture03_cuda_basics/exercises/ex01_index.cu

mkdir -p "$work/bin" "$work/autograder/results"
cat >"$work/bin/git" <<'END'
#!/bin/sh
[ "$1 $2 $3 $4" = "clone --depth 1 COURSE" ] && mkdir -p "$5/build/cpu" || exit 1
for entry in "$CHECKOUT"/* "$CHECKOUT"/build/* "$CHECKOUT"/build/cpu/*; do # with times, so that little is built again
    case $entry in */build | */build/cpu | */build/cpu/tests | */build/grades | */build/mutants) continue ;; esac
    to=${entry#"$CHECKOUT"}
    cp -a "$entry" "$5${to%/*}/" || exit 1
done
"$5/cpudevice/built_for.sh" >"$5/build/cpu/built_for" # what was built will do there too
END
chmod +x "$work/bin/git"
export CHECKOUT="$PWD" PATH="$work/bin:$PATH"
classroom=$(printed 'git clone') gradescope=$(printed 'tools\/grade \/autograder' | sed "s|/autograder|$work&|g")

hand_in "$work/right" "$place"
(cd "$work/right" && sh -c "$classroom") >"$work/said" 2>&1
status=$?
is "GitHub Classroom: the student's right answer passes" '[ $status = 0 ] && grep -q "1 passed" "$work/said"'
is "GitLab: there is the JUnit report" 'grep -q "<testcase" "$work/right/grades/junit.xml"'

# The checkout beside the answer has an exercise of that place, too: it counts for nobody.
mkdir "$work/none" "$work/renamed"
hand_in "$work/renamed" "my answer.cu"
move "$work/right/course" "$work/none/course"
(cd "$work/none" && sh -c "${classroom#*&& }") >"$work/said" 2>&1
status=$?
is "without an answer the course's own copy is not graded" '[ $status = 1 ] && grep -q "1 missing" "$work/said"'
move "$work/none/course" "$work/renamed/course"
(cd "$work/renamed" && sh -c "${classroom#*&& }") >"$work/said" 2>&1
status=$?
is "a renamed answer is found before the course's own copy" '[ $status = 0 ] && grep -q "1 passed" "$work/said"'

hand_in "$work/autograder/submission" "$place"
(cd "$work/renamed/course" && sh -c "$gradescope") >"$work/said" 2>&1
is "Gradescope: results.json has the point" 'grep -q "\"status\": \"passed\"" "$work/autograder/results/results.json"'

bwrap --ro-bind / / --dev /dev --tmpfs /tmp --ro-bind "$PWD" "$PWD" --chdir "$PWD" tools/grade -e 3.1 /etc >"$work/said" 2>&1
status=$?
is "a checkout that is read-only is named as such" '[ $status = 2 ] && grep -q "(Read-only file system): use a copy of the course" "$work/said"'
end_tests
