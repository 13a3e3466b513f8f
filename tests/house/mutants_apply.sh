#!/bin/sh
# mutants_apply.sh: each mutant changes the file that it is meant for, and is in the folder that is named as that file's;
# each exercise has the mutants that CONTRIBUTING.md asks for: two by a wrong technique, and another right way where limits are
# stated. Whether they are caught is what `tools/course.sh mutants` tries, which takes longer.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
for mutant in $(find tests/mutants cpudevice/tests/mutants -name '*.sed' | sort); do
    folder=${mutant%/*} file=$(sed -n 's/^# file: *//p' "$mutant" | head -n 1)
    case $file in
    '') file=solutions/${folder#tests/mutants/}.cu home=$folder ;; # an exercise's
    cpudevice/*/*) home=${file%/*} home=cpudevice/tests/mutants/${home#cpudevice/} ;;
    cpudevice/*) home=cpudevice/tests/mutants ;;
    */*) home=tests/mutants/${file%/*} ;;
    *) home=tests/mutants ;;
    esac
    [ -f "$file" ] || { echo "not ok $mutant: there is no $file"; continue; }
    if [ "$folder" != "$home" ]; then
        echo "not ok $mutant: it belongs in $home"
    elif sed -f "$mutant" "$file" | cmp -s - "$file"; then
        echo "not ok $mutant: it changes nothing in $file"
    else
        echo "ok $mutant"
    fi
done
# Where results are judged, a wrong technique has right numbers, and limits catch it; claims about it (.show) catch it otherwise.
for solution in solutions/*/ex*.cu; do
    exercise=${solution#solutions/}
    set -- tests/mutants/"${exercise%.cu}"/*.sed
    technique=$(grep -l '^# caught by: limits' "$@" | wc -l) ways=$(grep -l '^# caught by: nothing' "$@" | wc -l)
    grep -q '\.show = ' "$solution" && technique=$(($# - ways))
    grep -q '^ \* Limits' "$solution" || ways=none
    if [ "$technique" -ge 2 ] && [ "$ways" != 0 ]; then
        echo "ok $solution"
    else
        echo "not ok $solution: $technique answers by a wrong technique, $ways by another right way"
    fi
done
