#!/bin/sh
# counters.sh PROGRAM [ARGS]: what ./run LAB --counters does on a GPU. Runs the program under Nsight Compute and prints, for
# each launch, the figures that the CPU device counts too: requests, sectors a request, bank conflicts.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
. tools/setup/say.sh
command -v ncu >/dev/null 2>&1 || {
    echo "$(say "counters.sh: ncu is not installed (Nsight Compute; --device cpu counts without it)" "counters.sh：没有安装 ncu（Nsight Compute；--device cpu 不用它也能计数）")" >&2
    exit 2
}
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
metrics=
for kind in global_op_ld global_op_st; do
    metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_$kind.sum,l1tex__t_sectors_pipe_lsu_mem_$kind.sum
done
for kind in ld st; do
    metrics=$metrics,smsp__sass_inst_executed_op_shared_$kind.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$kind.sum
done
ncu --csv --log-file "$log" --metrics "${metrics#,}" "$@"
status=$?
if grep -q '"Metric Name"' "$log"; then
    echo
    awk -f tools/profiler/counters.awk "$log" | awk -F, '
        NR == 1 { gsub(/_/, " ") }
        { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
        END {
            for (r = 1; r <= NR; r++) {
                line = sprintf("    %-" width[1] "s", cell[r, 1])
                for (i = 2; i <= NF; i++) line = line sprintf("  %" width[i] "s", cell[r, i])
                print line
            }
        }'
else
    grep '^==' "$log" >&2 # no kernel, or no permission to count: ncu says which
    [ $status = 0 ] && status=1
fi
exit $status
