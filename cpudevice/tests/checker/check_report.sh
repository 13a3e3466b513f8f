#!/bin/sh
# What `cucc --check` prints and writes: the paragraph, the summary line, the
# exit status, the JSON, the choice of tools, and no repetition.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
out=build/cpu/tests/report
mkdir -p $out
bad=0
say() { echo "check_report: $*"; bad=1; }
cat >$out/two.cu <<'END'
#include <cstdio>
#include <cuda_runtime.h>
__global__ void over(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	x[i] = n;
}
__global__ void race(int *x)
{
	__shared__ int tile[64];
	tile[threadIdx.x] = x[threadIdx.x];
	x[threadIdx.x] = tile[63 - threadIdx.x];
}
int main()
{
	int *numbers;
	cudaMalloc(&numbers, 100 * sizeof(int));
	cudaMemset(numbers, 0, 100 * sizeof(int));
	for (int i = 0; i < 5; i++) over<<<1, 128>>>(numbers, i);
	race<<<1, 64>>>(numbers);
	cudaDeviceSynchronize();
	cudaFree(numbers);
	puts("done");
	return 0;
}
END
cpudevice/cucc --check -o $out/two $out/two.cu || exit 1
run() { # tools: leaves two.out, two.err, two.json, two.status
	rm -f $out/two.json
	CUDA_CPU_TOOLS=$1 CUDA_CPU_REPORT=$out/two.json $out/two >$out/two.out 2>$out/two.err
	echo $? >$out/two.status
}
want() { grep -q -- "$1" $out/two.err || say "the report lacks: $1"; }
run memcheck,racecheck,initcheck,synccheck,hostcheck
[ "$(cat $out/two.status)" = 99 ] || say "exit status is $(cat $out/two.status), not 99"
[ "$(cat $out/two.out)" = done ] || say "the program's own output was touched"
want '^memcheck: out of bounds: just past the end of an allocation$'
want 'kernel over(int\*, int), launched at .*two.cu:19'
want 'block (0,0,0), thread (100,0,0) writes 4 bytes$'
want 'at .*two.cu:6$'
want '| x\[i\] = n;$'
want 'memory: numbers: 400 bytes, cudaMalloc at .*two.cu:17'
want '^racecheck: race in shared memory'
want 'shared array tile, 256 bytes'
want 'usual cause: .*__syncthreads()'
want '^cucc --check: 2 errors (memcheck 1, racecheck 1, initcheck 0, synccheck 0, hostcheck 0)$'
[ "$(grep -c '^memcheck:' $out/two.err)" = 1 ] || say "one mistake is reported more than once"
# 28 threads in each of five launches: counted, not repeated
grep '"kind": "out-of-bounds"' $out/two.json | grep -q '"count": 140}' || say "the JSON does not count 140 accesses: $(grep -o '"count": [0-9]*' $out/two.json | tr '\n' ' ')"
grep -q '"tool": "racecheck".*"line": 12.*"other": {.*"line": 11' $out/two.json || grep -q '"tool": "racecheck".*"line": 11.*"other": {.*"line": 12' $out/two.json || say "the JSON lacks the two lines of the race"
awk 'BEGIN { depth = 0 }
	{ s = $0; gsub(/\\./, "", s); n = gsub(/"/, "\"", s); if (n % 2) exit 1
	  gsub(/"[^"]*"/, "", s); o = gsub(/[\[{]/, "", s); c = gsub(/[\]}]/, "", s); depth += o - c; if (depth < 0) exit 1 }
	END { exit depth != 0 }' $out/two.json || say "the JSON's brackets or quotes do not match"
run racecheck
want '^cucc --check: 1 error (memcheck 0, racecheck 1'
run synccheck,hostcheck
[ "$(cat $out/two.status)" = 0 ] || say "tools that find nothing must leave the exit status alone"
want '^cucc --check: 0 errors'
CUDA_CPU_TOOLS=memchek $out/two >/dev/null 2>$out/two.err
[ $? = 2 ] || say "a wrong tool name must end with status 2"
want "unknown tool 'memchek'"

# An allocation goes by the variable that holds it: several on one line, in a loop, in a function of the program's own.
# Equal code at the ends of branches keeps its lines.
cat >$out/names.cu <<'END'
#include <cuda_runtime.h>
static float *zeros(int n) { float *p; cudaMalloc(&p, n * sizeof *p); return p; }
__attribute__((noinline)) void make(float **out, int n)
{
	cudaMalloc(out, n * sizeof **out);
}
__global__ void over(float *a, float *b, float *row, float *x, float *y, float *z, int which)
{
	if (which == 0) a[100] = 1;
	if (which == 1) b[100] = 1;
	if (which == 2) row[100] = 1;
	if (which == 3) x[100] = 1;
	if (which == 4) y[100] = 1;
	if (which == 5) z[100] = 1;
}
__global__ void beyond(float *v) { v[100] = 1; }
__attribute__((noinline)) cudaError_t fill(int n) // what its call gives is no allocation
{
	float *d_v;
	cudaError_t status = cudaMalloc(&d_v, n * sizeof *d_v);
	if (status == cudaSuccess) beyond<<<1, 1>>>(d_v);
	return status;
}
int main()
{
	float *a, *b, *rows[3], *z;
	if (cudaMalloc(&a, 400) || cudaMalloc((void **)&b, 400)) return 1;
	for (int i = 0; i < 3; i++)
		cudaMalloc(&rows[i], 400);
	float *x = zeros(100), *y = zeros(100);
	make(&z, 100);
	for (int which = 0; which < 6; which++) over<<<1, 1>>>(a, b, rows[1], x, y, z, which);
	cudaError_t error = fill(100);
	cudaDeviceSynchronize();
	return error;
}
END
cpudevice/cucc --check -o $out/two $out/names.cu || exit 1
run memcheck # of each: the line of the access, the name, and the line that made it or that called what made it
case ${CUCC_CXX:-g++} in
*clang*) echo "ok # SKIP names of allocations: clang makes one store of those of all branches, without a line" ;;
*)
	sed -n 's/^ *at .*names.cu:\([0-9]*\)$/\1/p; s/^ *memory: \([^ ]*\): .*names.cu:\([0-9]*\)\(.*\)/\1 \2\3/p' $out/two.err | paste - - | head -n 7 >$out/names
	printf '%s\n' '9	a 27' '10	b 27' '11	rows[i] 29, the 2nd of 3 made there' '12	x 30' '13	y 30' '14	z 31' '16	d_v 33' |
		diff - $out/names >$out/names.diff || say "allocations' names are wrong: $(cat $out/names.diff)"
	;;
esac

# Whether the host or the kernel comes first to memory that nothing orders: it is told, each time.
cpudevice/cucc --check -o $out/early cpudevice/tests/mistakes/host_memcpy_early.cu || exit 1
told=0
for workers in 1 2 4; do
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		CUDA_CPU_WORKERS=$workers $out/early >/dev/null 2>$out/early.err
		told=$((told + $(grep -c '^hostcheck: ' $out/early.err)))
	done
done
[ $told = 60 ] || say "a host that reads before the synchronize is told in $told of 60 runs"

# Blocks that publish meet others that are half done, in one order for any number of workers: of each four the last sees
# what the three before it have begun (runtime/exec/turn.c). By volatile stores, and by atomics behind a fence.
cat >$out/half.cu <<'END'
#include <cstdio>
template <bool is_volatile> __device__ void tell(int *p, int v)
{
	if (is_volatile) *(volatile int *)p = v;
	else __threadfence(), atomicExch(p, v);
}
template <bool is_volatile> __global__ void steps(int *state, int *seen)
{
	const int b = blockIdx.x;
	tell<is_volatile>(state + b, 1);
	for (int i = 0; i < 8; i++) seen[8 * b + i] = is_volatile ? *(volatile int *)(state + i) : atomicAdd(state + i, 0);
	tell<is_volatile>(state + b, 2);
}
int main()
{
	for (int way = 0; way < 2; way++) {
		int *p;
		cudaMallocManaged(&p, 72 * sizeof *p);
		cudaMemset(p, 0, 72 * sizeof *p);
		if (way) steps<false><<<8, 1>>>(p, p + 8);
		else steps<true><<<8, 1>>>(p, p + 8);
		cudaDeviceSynchronize();
		for (int i = 0; i < 64; i++) printf("%d%s", p[8 + i], i % 8 < 7 ? "" : way && i == 63 ? "\n" : " ");
		cudaFree(p);
	}
}
END
cpudevice/cucc --check -o $out/half $out/half.cu || exit 1
four='11120000 21120000 22120000 11110000' # the fourth block meets three that have begun, and ends before them
eight="$four 22221112 22222112 22222212 22221111"
for workers in 1 2 4; do
	CUDA_CPU_WORKERS=$workers $out/half >$out/half.out 2>$out/half.err || say "blocks that meet half done: $(cat $out/half.err)"
	[ "$(cat $out/half.out)" = "$eight $eight" ] || say "with $workers workers blocks meet otherwise: $(cat $out/half.out)"
done

# A kernel that nobody waits for, at the program's end: a note, which names the launch; none once any call has waited for it.
cat >$out/hello.cu <<'END'
#include <cstdio>
__global__ void hello() { printf("hello\n"); }
int main(int argc, char **argv)
{
	hello<<<1, 1>>>();
	if (argc > 1) cudaDeviceSynchronize();
}
END
cpudevice/cucc --check -o $out/two $out/hello.cu || exit 1
run hostcheck
want '^hostcheck (note): the program ends, and has not waited for hello()$'
want 'at .*hello.cu:5$'
$out/two waits 2>&1 | grep -q note && say "a kernel that was waited for is told as one that was not"

# A loop that passes barriers and never ends: a note at first, for it may be meant, and an error at last.
cpudevice/cucc --check -o $out/two cpudevice/tests/mistakes/sync_endless_barrier.cu || exit 1
export CUDA_CPU_WATCHDOG=1
run synccheck
unset CUDA_CPU_WATCHDOG
want '^synccheck (note): the block has run for a long time: it has passed [0-9]* barriers'
want '^synccheck: the kernel makes no progress$'
grep -q '^synccheck' $out/two.err && grep '^synccheck' $out/two.err | head -n 1 | grep -q note || say "the note on a long run does not come first"
[ $bad = 0 ] && echo "report: text, JSON, tools and status as documented"
[ $bad = 0 ] && echo "ok" || echo "not ok"
exit $bad
