#!/bin/sh
# What `cucc --check` and the counters cost, as multiples of the plain build and of the plain build on fibers, in CPU time.
# "empty" is the checked program with callbacks that return at once: what the compiler's instrumentation costs by itself,
# the least that a checker with a callback an access can cost.
# usage: cpudevice/bench/check_cost.sh [N]      (a matmul of N x N; 256)
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
n=${1:-256}
out=build/cpu/check_cost
src=cpudevice/bench/check_cost.cu
mkdir -p $out/empty
cpudevice/cucc -O3 -o $out/cost_plain $src && cpudevice/cucc --no-split -O3 -o $out/cost_fibers $src && cpudevice/cucc --check -O3 -o $out/cost_check $src || exit 1

# The library again, its callbacks replaced.
for w in read write; do
	for size in 1 2 4 8 16; do echo "void __tsan_$w$size(void *a); void __tsan_$w$size(void *a) { (void)a; }"; done
	echo "void __tsan_${w}_range(void *a, unsigned long n); void __tsan_${w}_range(void *a, unsigned long n) { (void)a; (void)n; }"
done >$out/empty.c
(cd $out/empty && rm -rf ./* && cp ../../cucc-driver ../../cucc-compile ../../built_for ../../libcudacpu_check.a . && cp -rp ../../objects . && ar x libcudacpu_check.a checker.o &&
	objcopy --wildcard -W '__tsan_read*' -W '__tsan_write*' checker.o && ar rs libcudacpu_check.a checker.o && touch cucc-driver cucc-compile libcudacpu_check.a) 2>/dev/null || exit 1
gcc -O2 -c -o $out/empty.o $out/empty.c && CUCC_BUILD=$out/empty cpudevice/cucc --check -O3 -o $out/cost_empty $src $out/empty.o || exit 1

rm -f $out/cost.txt
for round in 1 2 3; do # in turn, so that a busy moment of the machine meets all
	for what in plain fibers empty check counters; do
		exe=$out/cost_$what tools= bulk=1
		[ $what = empty ] && bulk=0
		[ $what = counters ] && exe=$out/cost_check tools=counters
		CUDA_CPU_TOOLS=$tools CUDA_CPU_BULK=$bulk CUDA_CPU_SHADOW=1 $exe "$n" 2>$out/cost_$what.err | sed "s/^/$what /" >>$out/cost.txt
	done
done
echo "# device: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
echo "# date: $(date +%Y-%m-%d)"
echo "# command: cpudevice/bench/check_cost.sh $n"
echo "kernel,plain_ms,fibers_ms,empty_ms,check_ms,counters_ms,empty_over_plain,check_over_plain,counters_over_plain,check_over_fibers,counters_over_fibers,check_ns_per_access,counters_ns_per_access"
awk '!(($1, $2) in least) || $3 < least[$1, $2] { least[$1, $2] = $3 } !($2 in accesses) { accesses[$2] = $4; kernel[++k] = $2 }
	END {
		for (i = 1; i <= k; i++) {
			q = kernel[i]; p = least["plain", q]; f = least["fibers", q]; e = least["empty", q]; c = least["check", q]; t = least["counters", q]
			printf "%s,%.2f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.2f,%.2f\n", q, p, f, e, c, t, e / p, c / p, t / p, c / f, t / f, 1e6 * c / accesses[q], 1e6 * t / accesses[q]
		}
	}' $out/cost.txt
sed -n 's/cucc --check: \([0-9]*\) bytes of shadow.*/\1/p' $out/cost_check.err | awk '{ printf "# Shadow memory: %.2f bytes for each byte in use.\n", $1 / (3 * 16777216) }'
