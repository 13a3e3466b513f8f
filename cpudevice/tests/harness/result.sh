# result.sh, for test scripts to read in (make check does not run this): $work, a folder that goes when the script ends; result(), a test by the
# status of the command before it, whose output is in $work/log; and $failed, 1 once one has failed.
# shellcheck shell=sh
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
. cpudevice/tests/harness/first_failure.sh
result() { # status of the last command, name
    if [ "$1" = 0 ]; then echo "ok - $2"; return; fi
    echo "not ok - $2"
    failed=1
    tail -n 20 "$work/log" | sed 's/^/# /'
    [ -z "$to_first_failure" ] || exit 1
}
