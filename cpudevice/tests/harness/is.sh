# is.sh, for test scripts to read in (make check does not run this): $out, a folder that goes when the script ends, and is(), a test by what a
# command says.
# shellcheck shell=sh
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
. cpudevice/tests/harness/first_failure.sh

# is STATUS TEXT WHAT command...: the command's exit status, and a text (a basic regular expression) that it prints.
is() {
    want=$1 text=$2 what=$3
    shift 3
    "$@" >"$out/said" 2>&1
    status=$?
    if [ $status = "$want" ] && { [ -z "$text" ] || grep -q -- "$text" "$out/said"; }; then
        echo "ok $what"
    else
        echo "not ok $what: status $status, not $want, or it does not say '$text' but:"
        tail -n 12 "$out/said"
        [ -z "$to_first_failure" ] || exit 1
    fi
}
