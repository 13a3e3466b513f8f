#!/bin/sh
# exercises_half.sh [PROGRAM...]: make check says the same of the course whatever the student has done: in a copy of the
# tree in which a random half of the exercises is solved and half of the rest wrong. It runs make check twice, or with
# arguments only these (build/cpu/tests/course/exercises tests/notes/notes_test.sh ...) and the grades; make check does not run this.
set -u
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MAKELEVEL
n=0 failed=0
is() { n=$((n + 1)); if eval "$2"; then echo "ok $n - $1"; else failed=1; echo "not ok $n - $1"; fi; }
work=$(mktemp -d "${TMPDIR:-/tmp}/half.XXXXXX") || exit 1
trap 'rm -rf "$work"' 0
trap 'exit 1' 1 2 15
seed=${EXERCISES_SEED:-$(date +%s)}

copy() { # the tree, with what is built but for what was graded
    mkdir "$1"
    for f in * .[a-z]*; do case $f in build | .git) ;; *) cp -rp "$f" "$1/" ;; esac; done
    mkdir -p "$1/build"
    flock build/cpu/.lock cp -rp build/cpu build/tools "$1/build/"
    for f in check cuprof; do [ ! -e build/$f ] || cp -rp build/$f "$1/build/"; done
    rm -rf "$1/build/cpu/tests/mistakes" # built again: a finding names its file by the path it was compiled at
    (cd "$1" && rm -rf lecture*/exercises && tools/course.sh stubs && cpudevice/built_for.sh >build/cpu/built_for)
}
copy "$work/as_given"
copy "$work/half"
solved=0 wrong=0 todo=0
for r in $(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 200; i++) print int(rand() * 4) }'); do echo "$r"; done >"$work/random"
for s in solutions/*/ex*.cu; do
    read -r r
    to=$work/half/$(dirname "${s#solutions/}")/exercises/$(basename "$s")
    case $r in
    0 | 1) grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:' "$s" >"$to" && solved=$((solved + 1)) ;;
    2) grep -v 'TODO(ex' "$to" >"$work/x" && cp "$work/x" "$to" && wrong=$((wrong + 1)) ;;
    *) todo=$((todo + 1)) ;;
    esac
done <"$work/random"
echo "# seed $seed: $solved solved, $wrong wrong, $todo untouched"

check() { # what is said of the course
    if [ $# = 1 ]; then
        (cd "$1" && COURSE_REMEMBERS=no make check) >"$1.out" 2>&1
        echo "status $?" && grep '^tests: \|^FAILED' "$1.out"
    else
        tree=$1
        shift
        for t; do
            case $t in
            *.sh) (cd "$tree" && sh "$t" cpu) >"$tree.out" 2>&1 ;;
            *) (cd "$tree" && "$t") >"$tree.out" 2>&1 ;;
            esac
            echo "$t: status $?, $(grep -c '^ok' "$tree.out") ok, $(grep '^[0-9]*%' "$tree.out")"
        done
    fi
}
check "$work/as_given" "$@" >"$work/as_given.said"
check "$work/half" "$@" >"$work/half.said"
sed 's/^/# /' "$work/as_given.said"
is 'the course is judged alike' 'diff "$work/as_given.said" "$work/half.said" >&2'
is 'and it is judged to be right' '! grep -q "status [1-9]\|FAILED" "$work/half.said"'
(cd "$work/half" && tools/course.sh exercises) >"$work/list" 2>&1
is 'what is solved passes, what is wrong does not' \
    '[ "$(grep -c "^ passed" "$work/list")" = $solved ] && [ "$(grep -c "^not yet" "$work/list")" = $wrong ] && [ "$(grep -c "^  to do" "$work/list")" = $todo ]'
echo "1..$n"
exit $failed
