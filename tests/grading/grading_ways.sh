#!/bin/sh
# grading_ways.sh [DEVICE] [EXERCISE...]: tools/grade on the answers in tests/grading/grading_ways.txt: the right ones pass, however
# they are written, and the wrong ones are told what is wrong. Each is a grade of about three seconds: make check does
# not run this.
set -u
cd "$(dirname "$0")/../.." || exit 1
n=0 failed=0
if [ "${1:-cpu}" != cpu ] || ! tools/setup/need.sh bubblewrap || ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    echo "ok 1 - ways # SKIP no sandbox here"
    echo 1..1
    exit 0
fi
[ $# = 0 ] || shift
unset MAKEFLAGS MAKELEVEL
work=$(mktemp -d "${TMPDIR:-/tmp}/ways.XXXXXX") || exit 1
trap 'rm -rf "$work"' 0
trap 'exit 1' 1 2 15

# Each block of the file becomes $work/NNN.answer.K; its head goes to $work/list.
awk -v work="$work" '
    /^#/ && !begun { next }
    /^== / { begun = 1; n++; k = 1; name = sprintf("%s/%03d.answer", work, n); sub(/^== /, ""); printf "%03d %s\n", n, $0 > (work "/list"); next }
    /^--$/ { k++; next }
    { print > (name "." k) }' tests/grading/grading_ways.txt
mkdir "$work/class"
wanted=" $* "
exercises=
while read -r i exercise rest; do
    case $wanted in "  ") ;; *" $exercise "*) ;; *) continue ;; esac
    solution=$(ls solutions/lecture"$(printf %02d "${exercise%.*}")"_*/ex"$(printf %02d "${exercise#*.}")"_*.cu)
    place=${solution#solutions/}
    to=$work/class/$i/${place%/*}/exercises
    mkdir -p "$to"
    awk -v answer="$work/$i.answer" '
        />>> answer/ { k++; inside = 1; file = answer "." k; while ((getline line < file) > 0) print line; next }
        /<<< answer/ { inside = 0; next }
        !inside && !/TODO\(ex/' "$solution" >"$to/${place##*/}"
    echo "$i $exercise $rest" >>"$work/chosen"
    case ",$exercises," in *",$exercise,"*) ;; *) exercises=${exercises:+$exercises,}$exercise ;; esac
done <"$work/list"
tools/grade -o "$work/grades" -e "$exercises" "$work"/class/* >"$work/out" 2>&1
while read -r i exercise outcome says; do
    n=$((n + 1))
    report=$(sed -n "/^$exercise /,/^\$/p" "$work/grades/students/$i.txt")
    if printf '%s\n' "$report" | head -n 1 | grep -q ": $outcome\$" && printf '%s\n' "$report" | grep -Eq -- "$says"; then
        echo "ok $n - $i: $exercise $outcome"
    else
        failed=1
        echo "not ok $n - $i: $exercise $outcome $says"
        printf '%s\n' "$report" | sed 's/^/# /'
    fi
    [ -z "${SHOW-}" ] || [ "$outcome" = passed ] || printf '%s\n' "$report" | sed 's/^/# /'
done <"$work/chosen"
echo "1..$n"
exit $failed
