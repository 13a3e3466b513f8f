#!/bin/sh
# exercises.sh: what make next, skip, hint, exercises, watch, reset and ./run 3.1 do.
# An exercise is lectureNN_*/exercises/exMM_name.cu, number N.M. It is to do while a TODO(exMM) is left in it.
export LC_ALL=C
set -u
cd "$(dirname "$0")/.." || exit 2
device=${DEVICE:-auto}
[ "$device" = auto ] && device=$(tools/device.sh)

number() { # lecture03_x/exercises/ex04_y.cu -> 3.4
    echo "$1" | sed 's|.*lecture0*\([0-9]*\)_[^/]*/.*ex0*\([0-9]*\)_.*|\1.\2|'
}
all() { ls lecture[0-9][0-9]_*/exercises/ex*.cu 2>/dev/null; }
skipped() { grep -qxF "$1" build/exercises/skipped 2>/dev/null; }
# The order of make next: the lecture that was made last, then the others; what was skipped comes at the end.
in_turn() {
    lecture='' device_of_last=''
    [ -f build/last ] && read -r lecture device_of_last <build/last
    for f in $(all | grep "^${lecture:-lecture}") $(all | grep -v "^${lecture:-lecture}"); do skipped "$f" || echo "$f"; done
    for f in $(all); do skipped "$f" && echo "$f"; done
}
solution() { echo "solutions/$(dirname "$(dirname "$1")")/$(basename "$1")"; }
title() { sed -n '1s|^/\* *Exercise [0-9.]* *||p' "$1" | sed 's| *\*/$||'; }

find_exercise() { # 3.1, or a path
    case ${1-} in
    '') echo "which exercise? for example EX=3.1 (make exercises lists them)" >&2; exit 2 ;;
    */*) [ -f "$1" ] && echo "$1" && return ;;
    *) for f in $(all); do [ "$(number "$f")" = "$1" ] && echo "$f" && return; done ;;
    esac
    echo "there is no exercise '$1' (make exercises lists them)" >&2
    exit 2
}

# todo, passed, failed. What the build, the run and the checker say goes to build/exercises/NUMBER.log.
# On the CPU device the answer is run once more under cucc --check: a race or a read out of bounds can give the right
# numbers by luck, and where the numbers are wrong the checker says why.
grade() {
    f=$1 log=build/exercises/$(number "$1").log state=passed
    mkdir -p build/exercises
    if grep -q 'TODO(ex' "$f"; then echo todo; return; fi
    if ! make -s --no-print-directory DEVICE="$device" "build/$device/${f%.cu}" >"$log" 2>&1; then echo failed; return; fi
    timeout 120 "build/$device/${f%.cu}" --verify --small >"$log" 2>&1 || state=failed
    if [ "$device" = cpu ]; then
        make -s --no-print-directory DEVICE=cpu "build/check/${f%.cu}" >"$log.check" 2>&1 &&
            timeout 300 "build/check/${f%.cu}" --verify --small >"$log.checked" 2>"$log.check"
        case $? in
        0) ;;
        1) [ $state = passed ] && state=failed && cat "$log.checked" >"$log" ;;
        *) state=failed && { echo; cat "$log.check"; } >>"$log" ;;
        esac
        rm -f "$log.check" "$log.checked"
    fi
    echo $state
}

run_one() {
    f=$1 n=$(number "$1")
    case $(grade "$f") in
    todo)
        echo "exercise $n: still to do. Edit $f where it says TODO, and delete the TODO line when you are done."
        grep -n 'TODO(ex' "$f" | sed 's/^/    line /'
        return 1
        ;;
    passed)
        echo "exercise $n passes. A solution to compare with: $(solution "$f")"
        ;;
    failed)
        sed 's/^/    /' "build/exercises/$n.log" | head -60
        echo "exercise $n is not right yet. A hint: make hint EX=$n"
        return 1
        ;;
    esac
}

case ${1-} in
list)
    done=0 total=0
    for f in $(all); do
        total=$((total + 1))
        state=$(grade "$f")
        [ "$state" = passed ] && done=$((done + 1))
        case $state in todo) mark='  to do ' ;; passed) mark=' passed ' ;; *) mark='not yet ' ;; esac
        printf '%s %-5s %s\n' "$mark" "$(number "$f")" "$(title "$f")"
    done
    echo "$done of $total exercises pass"
    ;;
next)
    for f in $(in_turn); do
        [ "$(grade "$f")" = passed ] && continue
        n=$(number "$f")
        echo "next: exercise $n $(title "$f")$(skipped "$f" && echo ' (skipped before)')"
        sed -n '2,/\*\//p' "$f" | sed '/Hint [0-9]*:/,$d; s/^ \* \{0,1\}/    /; s/\*\/$//'
        echo "    edit:  $f"
        echo "    try:   ./run $n"
        echo "    hint:  make hint EX=$n"
        echo "    skip:  make skip EX=$n"
        exit 0
    done
    echo "all exercises pass"
    ;;
skip)
    f=$(find_exercise "${2-}") || exit 2
    mkdir -p build/exercises
    skipped "$f" || echo "$f" >>build/exercises/skipped
    echo "exercise $(number "$f") is skipped: make next comes back to it when the others are done"
    ;;
hint)
    f=$(find_exercise "${2-}") || exit 2
    n=$(number "$f") count=$(grep -c '^ \* Hint [0-9]*:' "$f")
    mkdir -p build/exercises
    shown=$(cat "build/exercises/$n.hints" 2>/dev/null || echo 0)
    shown=$((shown + 1))
    [ "$shown" -gt "$count" ] && shown=$count
    [ "$count" = 0 ] && echo "exercise $n has no hints" && exit 0
    echo "$shown" >"build/exercises/$n.hints"
    awk -v k="$shown" '$0 ~ "^ \\* Hint " k ":" {on = 1; print; next}
        /^ \* Hint / || /\*\// || /^ \*$/ {on = 0} on' "$f" | sed 's/^ \* \{0,1\}//'
    echo "(hint $shown of $count)"
    ;;
reset)
    f=$(find_exercise "${2-}") || exit 2
    mkdir -p build/exercises
    awk -f tools/stub.awk "$(solution "$f")" >build/exercises/stub.cu || exit 1
    rm -f "build/exercises/$(number "$f").hints"
    if cmp -s build/exercises/stub.cu "$f"; then
        echo "exercise $(number "$f") is as it was at first: nothing to reset"
        exit 0
    fi
    # What was done is kept beside the exercise, each time under the next number; nothing removes it.
    kept=$(dirname "$f")/kept k=1
    mkdir -p "$kept" || exit 1
    while ! (set -C && cat "$f" >"$kept/$(basename "$f" .cu).$k.cu") 2>/dev/null; do
        [ -e "$kept/$(basename "$f" .cu).$k.cu" ] || { echo "cannot write $kept/$(basename "$f" .cu).$k.cu; nothing was changed" >&2; exit 1; }
        k=$((k + 1))
    done
    cat build/exercises/stub.cu >"$f" || exit 1
    echo "exercise $(number "$f") is as it was at first; what you had is in $kept/$(basename "$f" .cu).$k.cu"
    ;;
stubs)
    for s in solutions/*/ex*.cu; do
        [ -f "$s" ] || continue
        lecture=$(basename "$(dirname "$s")")
        f=$lecture/exercises/$(basename "$s")
        mkdir -p "$lecture/exercises"
        [ -f "$f" ] && ! grep -q 'TODO(ex' "$f" && echo "kept: $f has been worked on (make reset EX=$(number "$f"))" && continue
        awk -f tools/stub.awk "$s" >"$f.new" && { cmp -s "$f.new" "$f" && rm "$f.new" || mv "$f.new" "$f"; }
    done
    ;;
drift) # every committed exercise is what its solution makes, and each has a TODO
    bad=0
    for s in solutions/*/ex*.cu; do
        [ -f "$s" ] || continue
        f=$(basename "$(dirname "$s")")/exercises/$(basename "$s")
        if ! awk -f tools/stub.awk "$s" | cmp -s - "$f"; then echo "drift: $f is not what $s makes (make stubs)"; bad=1; fi
        grep -q 'TODO(ex' "$f" 2>/dev/null || { echo "drift: $f has no TODO"; bad=1; }
    done
    for f in $(all); do [ -f "$(solution "$f")" ] || { echo "drift: $f has no solution"; bad=1; }; done
    exit $bad
    ;;
path) find_exercise "${2-}" ;;
run) f=$(find_exercise "${2-}") && run_one "$f" ;;
grade) f=$(find_exercise "${2-}") && grade "$f" ;;
watch)
    f=$(find_exercise "${2-}") || exit 2
    echo "watching $f (stop with Ctrl-C)"
    last=
    while :; do
        now=$(stat -c %Y "$f" 2>/dev/null)
        if [ "$now" != "$last" ]; then
            last=$now
            echo "--- $(date +%T)"
            run_one "$f"
        fi
        sleep 1
    done
    ;;
*)
    echo "usage: exercises.sh list | next | skip N.M | hint N.M | reset N.M | watch N.M | run N.M | path N.M | stubs | drift" >&2
    exit 2
    ;;
esac
