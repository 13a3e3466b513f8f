#!/bin/sh
# mutants_apply.sh: each mutant of tests/mutants still changes the file that it is meant for, and each exercise has those that
# CONTRIBUTING.md asks for: two by a wrong technique, and another right way where limits are stated. Whether they are caught is
# what `tools/course.sh mutants` tries, which takes longer.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
for mutant in tests/mutants/*/*.sed cpudevice/tests/mutants/*/*.sed; do
    file=$(sed -n 's/^# file: *//p' "$mutant" | head -n 1)
    if [ -z "$file" ]; then # an exercise's: "ex01_what.sed" is for the solution "ex01_*.cu"
        name=${mutant##*/} lecture=${mutant%/*}
        for file in solutions/"${lecture##*/}"/"${name%%_*}"_*.cu; do :; done
    fi
    [ -f "$file" ] || { echo "not ok $mutant: there is no $file"; continue; }
    if sed -f "$mutant" "$file" | cmp -s - "$file"; then
        echo "not ok $mutant: it changes nothing in $file"
    else
        echo "ok $mutant"
    fi
done
# Where results are judged, a wrong technique has right numbers, and limits catch it; claims about it (.show) catch it otherwise.
for solution in solutions/*/ex*.cu; do
    lecture=$(dirname "$solution") name=${solution##*/}
    set -- tests/mutants/"${lecture##*/}"/"${name%%_*}"_*.sed
    technique=$(grep -l '^# caught by: limits' "$@" | wc -l) ways=$(grep -l '^# caught by: nothing' "$@" | wc -l)
    grep -q '\.show = ' "$solution" && technique=$(($# - ways))
    grep -q '^ \* Limits' "$solution" || ways=none
    if [ "$technique" -ge 2 ] && [ "$ways" != 0 ]; then
        echo "ok $solution"
    else
        echo "not ok $solution: $technique answers by a wrong technique, $ways by another right way"
    fi
done
