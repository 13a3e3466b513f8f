#!/bin/sh
# The CPU device's counters must stay what they were when they were laid beside
# Nsight Compute's on a GPU (results/h200/counters.csv), kernel by kernel.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
out=build/cpu/tests
mkdir -p $out
cpudevice/cucc --check -o $out/counters_kernels cpudevice/tests/counters/kernels.cu || exit 1
CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$out/counters.csv $out/counters_kernels >$out/counters.out 2>$out/counters.err || { cat $out/counters.err; exit 1; }
# Rows that begin anywhere in a sector, as reckoned by hand: with callbacks, and where regions are counted in bulk.
cpudevice/cucc --check -o $out/counters_odd cpudevice/tests/counters/odd_rows.cu || exit 1
for bulk in 0 1; do
	CUDA_CPU_BULK=$bulk CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$out/odd.csv $out/counters_odd >/dev/null 2>&1
	[ "$(grep -c 'sectors_pipe_lsu_mem_global_op_[ls][dt].sum,4992$' $out/odd.csv)" = 2 ] || { echo "counters: odd rows are not 4992 sectors"; echo "not ok"; exit 1; }
done
# Atomics whose result is used (atom) and those whose is not (red): requests of each launch.
cpudevice/cucc --check -o $out/counters_atomics cpudevice/tests/counters/atomics.cu || exit 1
CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$out/atomics.csv $out/counters_atomics >/dev/null 2>&1
found=$(sed -n 's/.*t_requests_pipe_lsu_mem_global_op_\(atom\|red\)\.sum,\(.*\)/\1 \2/p' $out/atomics.csv | paste -s -d ' ')
[ "$found" = "atom 0 red 16 atom 16 red 0 atom 4 red 4 atom 4 red 4 atom 0 red 0" ] || { echo "counters: atomics are $found"; echo "0 passed, 1 failed"; exit 1; }
[ "$(grep 'copies(' $out/atomics.csv | grep -c 't_requests_pipe_lsu_mem_global_op_\(ld\|st\).sum,6$')" = 2 ] || { echo "counters: memcpy is not 6 loads and 6 stores"; echo "not ok"; exit 1; }
# TMA and tensor cores, against the figures that stand with each kernel; nothing of it is a request to memory.
cpudevice/cucc --check -o $out/counters_units cpudevice/tests/counters/units.cu || exit 1
CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$out/units.csv $out/counters_units >/dev/null 2>&1
found=$(sed -n 's/^\([0-9]*\),.*,cpudev__\(t[a-z_]*\)\.sum,\([1-9].*\)/\1 \2 \3/p' $out/units.csv | paste -s -d ,)
[ "$found" = "$(paste -s -d , <<END
1 tma_load_instructions 2
1 tma_load_bytes 2880
1 tma_store_instructions 1
1 tma_store_bytes 1024
2 tma_load_instructions 1
2 tma_load_bytes 4096
2 tma_store_instructions 2
2 tma_store_bytes 512
3 tma_load_instructions 12
3 tma_load_bytes 6144
4 tensor_instructions 24
4 tensor_multiply_adds 49152
5 tensor_instructions 7
5 tensor_multiply_adds 16384
END
)" ] || { echo "counters: TMA and tensor cores are $found"; echo "not ok"; exit 1; }
# Passes of the banks: of stores also 32 that clear the tile. clang reads a transposed matrix at two places, which are two
# instructions.
found=$(sed -n 's/^6,.*_\(wavefronts\|bank_conflicts\)_.*shared_op_\(ld\|st\)\.sum,\(.*\)/\1 \2 \3/p' $out/units.csv | paste -s -d ,)
case $(${CUCC_CXX:-g++} --version | head -n 1),$found in
*clang*,*"wavefronts ld 76,bank_conflicts ld 52,wavefronts st 108,bank_conflicts st 52") ;;
*,"wavefronts ld 72,bank_conflicts ld 56,wavefronts st 104,bank_conflicts st 56") ;;
*) echo "counters: ldmatrix and stmatrix are $found"; echo "not ok"; exit 1 ;;
esac
! grep '^[123],.*pipe_lsu_mem_global.*sum,[1-9]' $out/units.csv || { echo "counters: TMA is counted as requests"; echo "not ok"; exit 1; }
# clang and gcc 10 cannot tell what shared_stride2 loads twice from the shared array that it stores to between, and so load it
# twice.
leave=none
case $(${CUCC_CXX:-g++} --version | head -n 1) in *clang* | *' 10.'*) leave='shared_stride2,l1tex__t_[a-z]*_pipe_lsu_mem_global_op_ld' ;; esac
grep -v -e '^#' -e "^$leave" results/h200/counters.csv >$out/counters_recorded.csv
# The recorded table as Nsight Compute would have written it, and the comparison anew.
awk 'function q(s) { return "\"" s "\"" }
	BEGIN { print "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"" }
	/^kernel,/ { next }
	{ split($0, f, ","); name = f[2]; sub(/ \+ .*/, "", name); print q("1") "," q(f[1]) "," q(name) "," q(f[3]) }' $out/counters_recorded.csv >$out/counters_ncu.csv
cpudevice/tests/counters/compare.sh $out/counters_ncu.csv $out/counters.csv cpudevice/tests/counters/explained.txt >$out/counters_compared.csv
status=$?
cut -d, -f1,3-6 $out/counters_recorded.csv >$out/a.csv
cut -d, -f1,3-6 $out/counters_compared.csv >$out/b.csv
diff $out/a.csv $out/b.csv && [ $status -eq 0 ] && [ "$(wc -l <$out/b.csv)" -gt 200 ] && grep -q 'uncoalesced' $out/counters.err && grep -q 'bank conflicts' $out/counters.err && echo "ok" && exit 0
echo "counters: not what was recorded"; echo "not ok"; exit 1
