#!/bin/sh
# cases.sh FOLDER [DEVICE [CASE...]]: runs the tests that are written in the files of a folder of cpudevice/tests and prints TAP,
# "ok" or "not ok" for each (make check does not run this, but scripts that name a folder). A new case is a new file there.
# Its tests are lines of its comments:
#
#   // BUILD: $cucc -O1 -o $exe $case     before the tests; if it fails, they all fail
#   // SKIPS: which is not installed      output of a test that cannot run here; before the first test: of each
#   // TEST: what is tested               a test begins
#   // RUN: $exe 8 8                      its command; several lines are several commands, each of which must succeed
#   // STATUS: 99                         its exit status, if it is not 0
#   // SAYS: two errors                   a text that it prints
#   // MATCHES: at .*a.cu:{line x[9]}$    a basic regular expression that it prints
#   // LACKS: warning                     one that it does not print
#   // PRINTS: 10 20                      a line of its output, which has only these lines, in this order
#   // COUNT: 2 ^memcheck:                how many of its lines match a basic regular expression
#
# {line TEXT} is the number of the first line that contains TEXT, other than these. Commands are sh's, run in the root of
# the repository, and see $case (the file), $name (its name without suffix), $folder (its folder), $work (an empty folder),
# $exe ($work/$name), $cucc, $cc and $cxx, and the functions that the folder's functions.sh defines, if there is one. Where that
# sets any_device, the tests run whatever DEVICE is.
#
# CASE is a test's name, or that of a file, without its suffix: all its tests; without CASE all tests run. Exit status: 0, or 1 if a test
# failed, or 2 if there is no such CASE.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
folder=cpudevice/tests/$1 device=${2:-cpu}
shift
[ $# = 0 ] || shift
# shellcheck disable=SC2034 # for the cases' commands
cucc=$PWD/cpudevice/cucc cc=${CUCC_CC:-gcc} cxx=${CUCC_CXX:-g++}
top=$(mktemp -d) || exit 2
trap 'rm -rf "$top"' EXIT
failed=0
. cpudevice/tests/harness/first_failure.sh
. cpudevice/tests/harness/build_kept.sh
# shellcheck source=/dev/null
[ ! -e "$folder/functions.sh" ] || . "$folder/functions.sh"
[ "$device" = cpu ] || [ -n "${any_device-}" ] || { echo "ok # SKIP $folder: for the CPU device"; exit 0; }

# ---- what the lines of a case mean; cases.awk makes calls of these of them
open_case() { # FILE
    case=$1 name=$(basename "${1%.*}") work=$top/work broken=
    rm -rf "$work" && mkdir "$work"
    exe=$work/$name log=$work/log
}
build() { # COMMANDS
    case $1 in
    *[\;\&\|\<\>]*) ;;
    '$cucc '*' -o $exe $case'*)
        options=${1#\$cucc }
        set -- "build_kept \"\$exe\" \"\$case\" '${options%% -o *}' '${1#* \$case}'"
        ;;
    esac
    [ -n "$broken" ] || (eval "$1") >"$log" 2>&1 || broken=yes
}
run() { # COMMANDS; their output is in $log, their status in $got
    got=1
    if [ -z "$broken" ]; then
        (set -e; eval "$1") >"$log" 2>&1
        got=$?
    fi
    wrong=
}
status() { [ "$got" = "$1" ] || wrong="$wrong; status $got, not $1"; }
says() { grep -qF -e "$1" "$log" || wrong="$wrong; it does not say '$1'"; }
matches() { grep -q -e "$1" "$log" || wrong="$wrong; nothing matches '$1'"; }
lacks() { ! grep -q -e "$1" "$log" || wrong="$wrong; it says '$1'"; }
prints() { printf '%s\n' "$1" >>"$work/prints"; }
printed() {
    [ -n "$broken" ] || diff "$work/prints" "$log" >"$work/differ" || { wrong="$wrong; it prints other lines"; cp "$work/differ" "$log"; }
    rm "$work/prints"
}
count() { # NUMBER REGEX
    n=$(grep -c -e "${1#* }" "$log")
    [ "$n" = "${1%% *}" ] || wrong="$wrong; ${1#* } matches $n lines, not ${1%% *}"
}
skips() { # the reason, if the test cannot run here
    [ -z "$1" ] || ! grep -q -e "$1" "$log" || { skip=$(sed -n "s/^[a-zA-Z ]*: \(.*$1.*\)/\1/p" "$log" | head -n 1); }
}
close_test() { # NAME
    if [ -n "${skip-}" ]; then
        echo "ok # SKIP $1: $skip"
    elif [ -z "$wrong" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1${broken:+ (it does not build)}$wrong"
        failed=1
        tail -n 20 "$log" | sed 's/^/# /'
        [ -z "$to_first_failure" ] || exit 1
    fi
    skip=
}

for file in "$folder"/*; do
    [ -f "$file" ] && WANTED=$(printf '%s\n' "$@") awk -f cpudevice/tests/harness/cases.awk "$file"
done >"$top/tests"
for one; do # has each its test?
    grep -qxF "# $one" "$top/tests" || { echo "$folder has no case $one" >&2; exit 2; }
done
# shellcheck source=/dev/null
. "$top/tests"
exit $failed
