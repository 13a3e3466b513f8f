#!/bin/sh
# mutants_apply.sh: each mutant of tests/mutants still changes the file that it is meant for; whether it is caught is what
# `tools/course.sh mutants` tries, which takes longer.
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
for mutant in tests/mutants/*/*.sed; do
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
