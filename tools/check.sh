#!/bin/sh
# check.sh DEVICE [--all]: what `make check` and `make check-all` do. Builds and runs the library's tests, every rung of
# every lab, every lab and solution under cucc --check, and grades the exercises that have been attempted. With --all
# also proves that the checks can fail: stubs forced, mutants. Ends with counts; exit status 1 if anything failed.
export LC_ALL=C
set -u
cd "$(dirname "$0")/.." || exit 2
device=${1:?usage: check.sh cpu|cuda [--all]} all=${2-}
jobs=$(nproc)
out=build/check-results
rm -rf "$out"
mkdir -p "$out"
start=$(date +%s)

say() { printf '%s\n' "$*"; }
tools/need.sh check || exit 2
tools/need.sh gnuplot >/dev/null 2>&1 || say "no gnuplot: plots are tested as text"

# ---- one thing to run, in its own process; leaves KIND PASSED FAILED SKIPPED and a log under $out
cat >"$out/one.sh" <<'END'
kind=$1 program=$2
name=$(echo "$program" | tr '/' '-' | sed 's/^build-//; s/^cpu-//; s/^cuda-//')
log=$out/$kind.$name.log
case $kind in
test)
    case $program in
    *.sh) timeout 900 sh "$program" "$device" >"$log" 2>&1 ;;
    *) timeout 600 "$program" >"$log" 2>&1 ;;
    esac
    status=$?
    # Check says "66%: Checks: 3, Failures: 1, Errors: 0" once a runner, a script "3 passed, 1 failed, 0 skipped".
    set -- $(awk '/^[0-9]+%: Checks: / {gsub(",", ""); n += $3; bad += $5 + $7; seen = 1}
        /^[0-9]+ passed, [0-9]+ failed/ {gsub(",", ""); n += $1 + $3; bad += $3; skip += ($6 == "skipped") ? $5 : 0; seen = 1}
        /^SKIP / {skip++; n--}
        END {if (!seen) print "0 1 0"; else print n - bad, bad, skip + 0}' "$log")
    passed=$1 failed=$2 skipped=$3
    [ $status -ne 0 ] && [ "$failed" = 0 ] && failed=1
    ;;
sanitize | solution)
    timeout 300 "$program" --verify --small >"$log" 2>&1
    status=$?
    passed=0 failed=0 skipped=0
    if [ $status = 0 ]; then passed=1; else failed=1; fi
    ;;
esac
echo "$kind $passed $failed $skipped" >"$log.count"
if [ "$failed" != 0 ]; then
    echo "FAILED $kind $program (status $status)"
    tail -25 "$log" | sed 's/^/    /'
fi
END

run_all() { # kind, programs on stdin
    sed "s/^/$1 /" | out=$out device=$device xargs -P "$jobs" -L 1 sh "$out/one.sh"
}

build() { # what make says only if it fails; -k: one broken lab does not hide the rest
    if ! make -k -s --no-print-directory -j "$jobs" DEVICE="$device" "$@" >"$out/build.log" 2>&1; then
        grep -E 'error|Error|undefined|fatal' "$out/build.log" | head -20
        say "FAILED to build: see $out/build.log"
        echo "build 0 1 0" >"$out/build.$(date +%N).count"
    fi
}

say "building the tests ..."
build tests cuprof
units=$(ls tests/*.c tests/*.cu 2>/dev/null | sed "s|^\(.*\)\.[a-z]*$|build/$device/\1|")
labs=$(ls lecture[0-9][0-9]_*/*.cu | sed "s|^\(.*\)\.cu$|build/$device/tests/labs/\1|")
say "running the library's tests and every rung of every lab ..."
{ for p in $units $labs; do [ -x "$p" ] && echo "$p"; done; ls tests/*.sh 2>/dev/null; } | run_all test

if [ "$device" = cpu ]; then
    say "building labs and solutions under cucc --check ..."
    build solutions-check labs-check
    say "running them ..."
    ls lecture[0-9][0-9]_*/*.cu | sed 's|\(.*\)\.cu|build/check/\1|' | run_all sanitize
    ls solutions/*/*.cu | sed 's|\(.*\)\.cu|build/check/\1|' | run_all solution
else
    build $(ls solutions/*/*.cu | sed "s|\(.*\)\.cu|build/$device/\1|")
    ls solutions/*/*.cu | sed "s|\(.*\)\.cu|build/$device/\1|" | run_all solution
fi

if [ "$all" = --all ]; then
    say "the checks must be able to fail: stubs and mutants ..."
    for what in drift stubs mutants; do
        sh tools/mutants.sh $what >"$out/$what.log" 2>&1
        status=$?
        tail -1 "$out/$what.log"
        grep -E '^(drift|SURVIVED|BROKEN)' "$out/$what.log"
        sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/mutants \1 \2 0/p' "$out/$what.log" >"$out/$what.count"
        [ $status = 0 ] || [ -s "$out/$what.count" ] || echo "mutants 0 1 0" >"$out/$what.count"
    done
fi

solved=0 wrong=0 todo=0
for f in lecture[0-9][0-9]_*/exercises/ex*.cu; do
    [ -f "$f" ] || continue
    case $(DEVICE=$device tools/exercises.sh grade "$f") in
    passed) solved=$((solved + 1)) ;;
    todo) todo=$((todo + 1)) ;;
    *) wrong=$((wrong + 1)); say "exercise not right yet: $f" ;;
    esac
done

set -- $(cat "$out"/*.count | awk '{p += $2; f += $3; s += $4} END {print p + 0, f + 0, s + 0}')
say
say "took $(($(date +%s) - start)) s; logs are in $out"
say "tests: $1 passed, $2 failed, $3 skipped"
say "$1 tests passed, $2 failed, $3 skipped; exercises: $solved solved, $wrong not right yet, $todo to do"
[ "$2" = 0 ] && [ "$1" -gt 0 ] # an exercise that is not right yet is no fault of the course
