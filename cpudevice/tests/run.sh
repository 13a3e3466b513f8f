#!/bin/sh
# run.sh BUILD PROGRAM...: runs the CPU device's test programs and the scripts in the tests' rooms, as many at a time as there
# are cores, and prints what failed and a count. `make -C cpudevice check` calls it; within the course `make check` runs the
# same tests. The working folder is the one above cpudevice/. Exit status: 1 if a test failed.
set -u
export LC_ALL=C
build=${1:?usage: run.sh BUILD PROGRAM...}
shift
logs=$build/check-results
rm -rf "$logs" && mkdir -p "$logs" || exit 2
{
    printf '%s\n' "$@"
    for script in cpudevice/tests/*/*.sh; do
        grep -q 'make check does not run this' "$script" || echo "$script"
    done
} >"$logs/tests"
# shellcheck disable=SC2016 # $0 and $1 are the inner shell's
xargs -P "$(nproc)" -I {} sh -c '
    log=$0/$(echo "$1" | tr / -)
    case $1 in
    *.sh) sh "$1" cpu >"$log.tap" 2>&1 ;;
    *) CK_TAP_LOG_FILE_NAME=$log.tap COURSE_SKIPS=$log.skips "$1" >"$log.log" 2>&1 ;;
    esac
    echo "$? $1" >"$log.status"' "$logs" {} <"$logs/tests"
cat "$logs"/*.status | grep -v '^0 ' >"$logs/bad"
grep -h '^not ok' "$logs"/*.tap
sed 's/^\([0-9]*\) \(.*\)/FAILED \2 (status \1)/' "$logs/bad"
awk '/^not ok/ { failed++; next } /^ok.*# SKIP/ { skipped++; next } /^ok/ { passed++ } FILENAME ~ /skips$/ { skipped++; passed-- }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || passed == 0 }' \
    "$logs"/*.tap $(find "$logs" -name '*.skips') && [ ! -s "$logs/bad" ]
