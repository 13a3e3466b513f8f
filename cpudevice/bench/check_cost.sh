#!/bin/sh
# What `cucc --check` and the counters cost, as multiples of the plain build.
# usage: cpudevice/bench/check_cost.sh [N]      (a matmul of N x N; 256)
cd "$(dirname "$0")/../.." || exit 2
out=build/cpu/check_cost
mkdir -p $out
src=cpudevice/bench/check_cost.cu
cpudevice/cucc -O3 -o $out/cost_plain $src && cpudevice/cucc --no-split -O3 -o $out/cost_fibers $src && cpudevice/cucc --check -O3 -o $out/cost_check $src || exit 1
$out/cost_plain "${1:-256}" >$out/cost_plain.txt
$out/cost_fibers "${1:-256}" >$out/cost_fibers.txt
CUDA_CPU_SHADOW=1 $out/cost_check "${1:-256}" >$out/cost_check.txt 2>$out/cost_check.err
CUDA_CPU_TOOLS=counters $out/cost_check "${1:-256}" >$out/cost_counters.txt 2>/dev/null
echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(date +%Y-%m-%d); cpudevice/bench/check_cost.sh ${1:-256}"
echo "kernel,plain_ms,fibers_ms,check_ms,counters_ms,check_over_plain,check_over_fibers,counters_over_fibers"
paste -d ' ' $out/cost_plain.txt $out/cost_fibers.txt $out/cost_check.txt $out/cost_counters.txt |
	awk '{ printf "%s,%s,%s,%s,%s,%.1f,%.1f,%.1f\n", $1, $2, $4, $6, $8, $6 / $2, $6 / $4, $8 / $4 }'
sed -n 's/cucc --check: \([0-9]*\) bytes of shadow.*/\1/p' $out/cost_check.err | awk '{ printf "# shadow memory: %.2f bytes for each byte in use\n", $1 / (3 * 16777216) }'
