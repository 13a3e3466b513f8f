#!/bin/sh
# cpudevice_split.sh: kernels that cucc splits at their barriers into loops over the threads. cpudevice/tests/compiler/split/forms.cu has
# barriers in every form: the compiler splits those it is meant to and leaves the others alone, and every kernel gives what
# it gives on fibers, also under --check, which finds nothing wrong.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../../.." || exit 2
cucc=$(pwd)/cpudevice/cucc
"$cucc" --build || { echo "not ok"; exit 1; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' 0
failed=0
is() { # what, condition's status
    if [ "$2" = 0 ]; then echo "ok"; else failed=1 && echo "not ok"; echo "FAILED: $1"; fi
}
# the names of the kernels and how they run
ways() {
    awk '{ while (match($0, /cpudev_tag>::k, "[A-Za-z_0-9]+"|submit_(simple|split|general)<cpudev_tag>\(/)) {
             found = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
             if (found ~ /^cpudev/) { split(found, part, "\""); kernel = part[2] }
             else { sub(/<.*/, "", found); print kernel, found } } }' "$1"
}
same() { # what, file, file
    diff "$2" "$3" >"$dir/diff"
    status=$?
    [ $status = 0 ] || sed 's/^/    /' "$dir/diff" | head -10
    is "$1" $status
}

"$cucc" -E -x cu -o "$dir/forms.ii" cpudevice/tests/compiler/split/forms.cu
for check in "" --check; do
    build/cpu/cucc-compile $check <"$dir/forms.ii" >"$dir/forms.out" && ways "$dir/forms.out" >"$dir/ways"
    is "the compiler $check" $?
    [ "$(grep -c '^s_' "$dir/ways")" -gt 10 ] && ! grep '^s_' "$dir/ways" | grep -v "submit_split${check:+\|unless_checked}"
    is "kernels that are to be split $check" $?
    [ "$(grep -c '^f_' "$dir/ways")" -gt 10 ] && ! grep '^f_' "$dir/ways" | grep -v submit_general
    is "kernels that are to be left alone $check" $?
done
"$cucc" --no-split -o "$dir/fibers" cpudevice/tests/compiler/split/forms.cu && "$dir/fibers" >"$dir/fibers.out"
is "on fibers" $?
"$cucc" -o "$dir/split" cpudevice/tests/compiler/split/forms.cu && "$dir/split" >"$dir/split.out"
is "as loops" $?
same "the same results" "$dir/fibers.out" "$dir/split.out"
"$cucc" --check -o "$dir/checked" cpudevice/tests/compiler/split/forms.cu && "$dir/checked" s_ >"$dir/checked.out" 2>"$dir/findings"
is "as loops under --check" $?
grep '^s_' "$dir/fibers.out" >"$dir/expected"
same "the same results under --check" "$dir/expected" "$dir/checked.out"

# ---- what is wrong is found on the same lines, and things have the names that the program gave them
"$cucc" --check --no-split -o "$dir/wrong_fibers" cpudevice/tests/compiler/split/wrong.cu && "$dir/wrong_fibers" >/dev/null 2>"$dir/wrong_fibers.out"
"$cucc" --check -o "$dir/wrong_split" cpudevice/tests/compiler/split/wrong.cu && "$dir/wrong_split" >/dev/null 2>"$dir/wrong_split.out"
"$cucc" -E -x cu -o "$dir/wrong.ii" cpudevice/tests/compiler/split/wrong.cu && build/cpu/cucc-compile --check <"$dir/wrong.ii" >"$dir/wrong.out"
ways "$dir/wrong.out" >"$dir/ways"
[ "$(grep -c submit_split "$dir/ways")" = 3 ]
is "three wrong kernels are split" $?
grep -q '3 errors (memcheck 1, racecheck 1, initcheck 1,' "$dir/wrong_fibers.out"
is "three mistakes on fibers" $?
for f in wrong_fibers wrong_split; do
    grep -E '^[a-z]+check: |^        at |memory: ' "$dir/$f.out" | sort >"$dir/$f.found"
done
same "the same findings as on fibers" "$dir/wrong_fibers.found" "$dir/wrong_split.found"

[ $failed = 0 ]
