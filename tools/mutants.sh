#!/bin/sh
# mutants.sh drift|stubs|mutants: the proof that the checks can fail.
#   drift    each exercise is what its solution makes
#   stubs    each untouched exercise builds, and fails when it is graded all the same
#   mutants  each wrong answer under tests/mutants/ is caught: exercises' by their own check (or by cucc --check), the
#            library's by the test it names. A mutant that changes nothing is an error too.
export LC_ALL=C
set -u
cd "$(dirname "$0")/.." || exit 2
work=build/mutants
mkdir -p "$work"

compile() { # source, program; with $3 = check under cucc --check
    if [ "${3-}" = check ]; then
        cpudevice/cucc --check -O1 -g -std=c++17 -DLAB_CPU -Icommon "$1" build/cpu/libcourse.a -fopenmp -o "$2" -ldl -lpthread -lm
    else
        cpudevice/cucc -O1 -std=c++17 -DLAB_CPU -Icommon "$1" build/cpu/libcourse.a -fopenmp -o "$2" -ldl -lpthread -lm
    fi
}

# Prints PASSED or why not; one process each, so that xargs can run them side by side.
case ${1-} in
one-stub)
    name=$(echo "$2" | tr '/' '-')
    awk -f tools/stub.awk "$2" >"$work/$name"
    if ! compile "$work/$name" "$work/$name.exe" >"$work/$name.log" 2>&1; then echo "BROKEN $2: its stub does not build"
    elif timeout 60 "$work/$name.exe" --verify --small >"$work/$name.log" 2>&1; then echo "SURVIVED $2: its stub passes"
    else echo "ok $2"; fi
    rm -f "$work/$name.exe"
    exit
    ;;
one-mutant)
    m=$2 name=$(echo "$2" | tr '/' '-')
    file=$(sed -n 's/^# file: *//p' "$m") test=$(sed -n 's/^# test: *//p' "$m") by=$(sed -n 's/^# caught by: *//p' "$m")
    if [ -z "$file" ]; then # an exercise's: tests/mutants/LECTURE/exNN_what.sed
        ex=$(basename "$m" | sed 's/_.*//')
        file=$(ls solutions/"$(basename "$(dirname "$m")")"/"${ex}"_*.cu 2>/dev/null | head -1)
    fi
    [ -f "$file" ] || { echo "BROKEN $m: there is no file for it"; exit; }
    suffix=$(basename "$file") && suffix=${suffix##*.}
    sed -f "$m" "$file" >"$work/$name.$suffix"
    if cmp -s "$file" "$work/$name.$suffix"; then echo "BROKEN $m: it changes nothing in $file"; exit; fi
    if [ -z "$test" ]; then
        if ! compile "$work/$name.$suffix" "$work/$name.exe" "$by" >"$work/$name.log" 2>&1; then echo "BROKEN $m: does not build"
        elif timeout 60 "$work/$name.exe" --verify --small >"$work/$name.log" 2>&1; then echo "SURVIVED $m"
        else echo "ok $m"; fi
        rm -f "$work/$name.exe"
        exit
    fi
    # The library's: a copy of the tree with the one file changed, its own build folder, the one test.
    tree=$work/tree.$name
    rm -rf "$tree"
    mkdir -p "$tree"
    for f in *; do case $f in build) ;; results) ln -s "$PWD/$f" "$tree/" ;; *) cp -rp "$f" "$tree/" ;; esac; done
    # What the mutant does not touch need not be built again; times are kept, so that make sees it.
    mkdir -p "$tree/build/cpu/tests"
    for f in build/cpu/*; do case $f in */lecture* | */solutions | */tests) ;; *) cp -rp "$f" "$tree/build/cpu/" ;; esac; done
    cp -rp build/cpu/tests/lab "$tree/build/cpu/tests/" 2>/dev/null
    "$tree/cpudevice/built_for.sh" >"$tree/build/cpu/built_for" # it will do in this copy too
    sed -f "$m" "$file" >"$tree/$file"
    case $test in
    *.sh) run="sh tests/$test cpu" target= ;;
    */*) run=build/cpu/tests/labs/$test target=$run ;;
    *) run=build/cpu/tests/$test target=$run ;;
    esac
    if [ -n "$target" ] && ! make -s --no-print-directory -C "$tree" DEVICE=cpu "$target" >"$work/$name.log" 2>&1; then echo "BROKEN $m: does not build"
    elif (cd "$tree" && timeout 300 $run) >"$work/$name.log" 2>&1; then echo "SURVIVED $m"
    else echo "ok $m"; fi
    rm -rf "$tree"
    exit
    ;;
drift)
    if tools/exercises.sh drift; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; exit 1; fi
    exit
    ;;
stubs) list=$(ls solutions/*/ex*.cu 2>/dev/null) one=one-stub ;;
mutants) list=$(find tests/mutants -name '*.sed' | sort) one=one-mutant ;;
*) echo "usage: mutants.sh drift | stubs | mutants" >&2; exit 2 ;;
esac
make -s --no-print-directory DEVICE=cpu build/cpu/libcourse.a || exit 1
for f in $list; do echo "$f"; done | xargs -P "$(nproc)" -n 1 sh tools/mutants.sh $one | tee "$work/$1.log"
passed=$(grep -c '^ok' "$work/$1.log")
failed=$(grep -c -v '^ok' "$work/$1.log")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
