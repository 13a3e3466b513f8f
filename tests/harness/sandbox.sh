# sandbox.sh, for tests of tools/grade and of full disks to read in (make check does not run this): goes to the top folder, and gives
# needs_sandbox, is, on_disk and end_tests. $work is a folder that goes when the script ends.
# shellcheck shell=sh
set -u
cd "$(dirname "$0")/../.." || exit 1
n=0 failed=0
unset MAKEFLAGS MAKELEVEL

# needs_sandbox DEVICE WHAT [WORD...]: ends the script with SKIP unless DEVICE is the CPU device and bubblewrap runs (with those words).
needs_sandbox() {
    device=$1 what=$2
    shift 2
    [ $# != 0 ] || set -- bwrap --unshare-all --ro-bind / / true
    if [ "$device" != cpu ] || ! tools/setup/need.sh bubblewrap || ! "$@" 2>/dev/null; then
        echo "ok 1 - $what # SKIP no sandbox here"
        echo 1..1
        exit 0
    fi
    work=$(mktemp -d "${TMPDIR:-/tmp}/sandbox.XXXXXX") || exit 1
    trap 'rm -rf "$work"' 0
    trap 'exit 1' 1 2 15
}

# is NAME TEST: a test by a command of the shell. What went wrong is in $work/said and in what tools/grade has written.
is() {
    n=$((n + 1))
    if eval "$2"; then
        echo "ok $n - $1"
    else
        failed=1
        echo "not ok $n - $1"
        for file in "$work/said" "$work"/grades/*.csv; do [ ! -f "$file" ] || sed 's/^/# /' "$file"; done
    fi
}

# on_disk BYTES COMMAND: with that much room on $work/disk. What it says is in $work/said, its status in $status.
on_disk() {
    mkdir -p "$work/disk"
    bwrap --bind / / --dev-bind /dev /dev --proc /proc --size "$1" --tmpfs "$work/disk" --chdir "$PWD" sh -c "$2" >"$work/said" 2>&1
    status=$?
}

end_tests() {
    echo "1..$n"
    exit $failed
}
