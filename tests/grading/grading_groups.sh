#!/bin/sh
# grading_groups.sh: what tests/grading/grading_sandbox.c tries, on a kernel of its own that has control groups of version 2 alone:
# Debian's User Mode Linux, on this machine's files. Once as root, and once as a user to whom a group is delegated, as
# systemd-run --user --scope -p Delegate=yes does it. It takes about two minutes: make check does not run this.
set -u
cd "$(dirname "$0")/../.." || exit 1
n=0 failed=0
is() { n=$((n + 1)); if eval "$2"; then echo "ok $n - $1"; else failed=1; echo "not ok $n - $1"; fi; }
if ! tools/setup/need.sh bubblewrap || ! tools/setup/need.sh user-mode-linux; then
    echo "ok 1 - control groups # SKIP it needs user-mode-linux and bubblewrap"
    echo 1..1
    exit 0
fi
make -s build/cpu/tests/grading/grading_sandbox || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/groups.XXXXXX") || exit 1
trap 'rm -rf "$work"' 0
trap 'exit 1' 1 2 15
chmod 755 "$work"
cat >"$work/init" <<INIT
#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t cgroup2 groups /sys/fs/cgroup
mount -t tmpfs -o mode=1777 tmp /run
cd '$PWD'
export TMPDIR=/run
{
    echo "kernel \$(uname -r), \$(cat /sys/fs/cgroup/cgroup.controllers)"
    build/cpu/tests/grading/grading_sandbox
    echo "as root: status \$?"
    echo "left: \$(ls -d /sys/fs/cgroup/grade.* 2>/dev/null)"
    mkdir /sys/fs/cgroup/own
    echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
    chown 1000 /sys/fs/cgroup/own /sys/fs/cgroup/own/*
    sh -c 'echo \$\$ >/sys/fs/cgroup/own/cgroup.procs; exec setpriv --reuid 1000 --clear-groups build/cpu/tests/grading/grading_sandbox'
    echo "as a user: status \$?"
} >'$work/said' 2>&1
sync
echo o >/proc/sysrq-trigger
sleep 60
INIT
chmod 755 "$work/init"
timeout 600 linux.uml mem=2G root=/dev/root rootfstype=hostfs rootflags=/ rw init="$work/init" con=null con0=null,null con1=null \
    uml_dir="$work" >"$work/kernel" 2>&1
[ -s "$work/said" ] || tail -n 5 "$work/kernel" >&2
sed 's/^/# /' "$work/said"
is 'as root the kernel holds the limits' 'grep -q "^as root: status 0" "$work/said"'
is 'and no group is left' 'grep -q "^left: *\$" "$work/said"'
is 'as a user with a delegated group it does too' 'grep -q "^as a user: status 0" "$work/said"'
is 'in groups, all four times' '! grep -q "no control groups" "$work/said"'
echo "1..$n"
exit $failed
