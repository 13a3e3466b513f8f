#!/bin/sh
# grading_ways.sh [DEVICE] [EXERCISE|NAME...]: tools/grade on the answers in tests/grading/grading_ways.txt: the right ones pass, however
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

# Each block of the file becomes $work/NAME.answer.K; its head goes to $work/list.
awk -v work="$work" '
    /^#/ && !begun { next }
    /^== / { begun = 1; k = 1; print substr($0, 4) > (work "/list"); name = $4; sub(/:$/, "", name); name = work "/" name ".answer"; next }
    /^--$/ { k++; next }
    { print > (name "." k) }' tests/grading/grading_ways.txt
mkdir "$work/class"
wanted=" $* "
exercises=
while read -r exercise outcome name reason; do
    name=${name%:}
    case $wanted in "  ") ;; *" $exercise "* | *" $name "*) ;; *) continue ;; esac
    solution=$(ls solutions/lecture"$(printf %02d "${exercise%.*}")"_*/ex"$(printf %02d "${exercise#*.}")"_*.cu)
    place=${solution#solutions/}
    to=$work/class/$name/${place%/*}/exercises
    mkdir -p "$to"
    awk -v answer="$work/$name.answer" '
        />>> answer/ { k++; inside = 1; file = answer "." k; while ((getline line < file) > 0) print line; next }
        /<<< answer/ { inside = 0; next }
        !inside && !/TODO\(ex/' "$solution" >"$to/${place##*/}"
    printf '%s\n' "$exercise $outcome $name $reason" >>"$work/chosen"
    case ",$exercises," in *",$exercise,"*) ;; *) exercises=${exercises:+$exercises,}$exercise ;; esac
done <"$work/list"
tools/grade -o "$work/grades" -e "$exercises" "$work"/class/* >"$work/out" 2>&1
# A refusal has a reason of its own: more than a word, and not in the line that every report begins with.
while read -r exercise outcome name reason; do
    n=$((n + 1))
    report=$(sed -n "/^$exercise /,/^\$/p" "$work/grades/students/$name.txt")
    wrong=
    printf '%s\n' "$report" | head -n 1 | grep -q ": $outcome\$" || wrong="not $outcome"
    if [ "$outcome" = failed ]; then
        case $reason in *[!\ ]\ [!\ ]*) ;; *) wrong="no reason is named" ;; esac
        printf '%s\n' "$report" | tail -n +2 | grep -Eq -- "$reason" || wrong="${wrong:-not for that reason}: $reason"
    fi
    if [ -z "$wrong" ]; then
        echo "ok $n - $name: $exercise $outcome"
    else
        failed=1
        echo "not ok $n - $name: $exercise $outcome: $wrong"
        printf '%s\n' "$report" | sed 's/^/# /'
    fi
    [ -z "${SHOW-}" ] || [ "$outcome" = passed ] || printf '%s\n' "$report" | sed 's/^/# /'
done <"$work/chosen"
echo "1..$n"
exit $failed
