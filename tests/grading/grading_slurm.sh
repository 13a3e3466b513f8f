#!/bin/sh
# grading_slurm.sh: tools/grade --slurm against a real cluster on this machine: its own munged, slurmctld and two slurmd,
# one of which is killed, with what it runs, in the middle. Every submission must be graded exactly once, and none lost.
# It needs Debian's slurm-wlm and munge (tools/setup/need.sh slurm) and root; it takes about two minutes: make check does not run this.
set -u
cd "$(dirname "$0")/../.." || exit 1
n=0 failed=0
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1"; }
is() { if eval "$2"; then ok "$1"; else not_ok "$1"; fi; }

PATH=$PATH:/usr/sbin
if [ "$(id -u)" != 0 ] || ! tools/setup/need.sh slurm || ! tools/setup/need.sh bubblewrap || ! bwrap --unshare-all --ro-bind / / true; then
    echo "ok 1 - a cluster # SKIP it needs root, slurm-wlm, munge and bubblewrap"
    echo 1..1
    exit 0
fi
unset MAKEFLAGS MAKELEVEL
work=$(mktemp -d "${TMPDIR:-/tmp}/slurm.XXXXXX") || exit 1
daemons=
finish() {
    for d in $daemons; do kill "$d" 2>/dev/null; done
    sleep 1
    for d in $daemons; do kill -9 "$d" 2>/dev/null; done
    rm -rf "$work"
}
trap finish 0
trap 'exit 1' 1 2 15

# ---- the cluster
mkdir "$work/munge" "$work/state" "$work/spool1" "$work/spool2" && chmod 755 "$work" && chmod 711 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=1 count=1024 2>/dev/null && chmod 600 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
daemons="$daemons $!"
host=$(hostname -s)
sed "s|@work@|$work|g; s|@host@|$host|g" tests/grading/grading_slurm.conf >"$work/slurm.conf"
mkdir "$work/n1" "$work/n2"
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
sleep 1
slurmctld -D >"$work/ctld.log" 2>&1 &
daemons="$daemons $!"
slurmd -D -N n1 >"$work/n1.log" 2>&1 &
daemons="$daemons $!"
GRADE_NODE=n2 slurmd -D -N n2 >"$work/n2.log" 2>&1 &
second=$!
daemons="$daemons $second"
for _ in $(seq 60); do
    [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c idle)" = 2 ] && break
    sleep 1
done
is 'a cluster of two nodes' '[ "$(sinfo -h -N -o %T | grep -c idle)" = 2 ]'
[ $failed = 0 ] || { tail -n 5 "$work"/*.log >&2; echo 1..1; exit 1; }

# ---- a class of twelve
place=lecture03_cuda_basics/exercises
for i in 01 02 03 04 05 06 07 08 09 10 11 12; do
    mkdir -p "$work/class/s$i/$place"
    for e in ex01_index ex04_two_d; do
        grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:' "solutions/lecture03_cuda_basics/$e.cu" >"$work/class/s$i/$place/$e.cu"
    done
    case $i in *[369]) sed -i 's/blockIdx.x \* blockDim.x + threadIdx.x;/threadIdx.x;/' "$work/class/s$i/$place/ex01_index.cu" ;; esac
done
tools/grade -o "$work/alone" -e 3.1,3.4 "$work/class/s01" >"$work/out" 2>&1 # builds the judges
tools/grade --slurm -o "$work/grades" -e 3.1,3.4 "$work"/class/* >"$work/out" 2>&1 &
grader=$!
graded() { [ -e "$work/grades/slurm/graded.log" ] && wc -l <"$work/grades/slurm/graded.log" || echo 0; }
# Until the second node, too, is at a grade.
at_work() { grep -qsz '^SLURMD_NODENAME=n2$' /proc/[0-9]*/environ; }
while [ "$(graded)" -lt 24 ] && kill -0 $grader 2>/dev/null; do
    [ "$(graded)" -ge 5 ] && at_work && break
    sleep 0.2
done
# the node dies: its daemon, its steps and what these run
below() { for p in $(pgrep -P "$1"); do echo "$p"; below "$p"; done; }
victims=$(grep -lsz '^GRADE_NODE=n2$\|^SLURMD_NODENAME=n2$' /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||' |
    while read -r p; do echo "$p"; below "$p"; done)
kill -9 $second $victims 2>/dev/null
before=$(graded)
is 'a node died in the middle' '[ "$before" -ge 5 ] && [ "$before" -lt 24 ]'
wait $grader
is 'the grader ends, and all is graded' '[ $? = 0 ] || { cat "$work/out" >&2; false; }'
is 'every grade was made exactly once' '[ "$(cut -f3- "$work/grades/slurm/graded.log" | sort -u | wc -l)" = 24 ] && [ "$(graded)" = 24 ]'
is 'what died with the node was begun anew' '[ "$(awk -F"\t" "\$2 > 0" "$work/grades/slurm/graded.log" | wc -l)" -gt 0 ] || grep -q "once more" "$work/out"'
is 'every verdict is as expected' '[ "$(grep -c "^3.1 .*: passed" "$work"/grades/students/*.txt | grep -c ":1$")" = 9 ] && [ "$(cat "$work"/grades/students/*.txt | grep -c "^3.4 .*: passed")" = 12 ]'
sed 's/^/# /' "$work/out"
echo "# by node: $(cut -f1 "$work/grades/slurm/graded.log" | sort | uniq -c | tr -s ' \n' ' '); started anew: $(awk -F'\t' '$2 > 0' "$work/grades/slurm/graded.log" | wc -l)"
tools/grade --plan 200,4,16 -e 3.1,3.4 -o "$work/grades" | sed 's/^/# /'
echo "1..$n"
exit $failed
