#!/bin/sh
# Kernels that `cucc --check` runs in loops over their threads: what it knows about words and threads there.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP loops: for the CPU device"; exit 0; }
out=build/cpu/tests/check_loops
mkdir -p "$out"
cat >"$out/loops.cu" <<'END'
#include <cstdio>
__global__ void known_until_written(int *x, int zero)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	int sum = 0;
	if (t < 8) sum = s[20];
	if (t == 8) s[20] = 1; // A: after reads
	if (t > 8) sum = s[20 + zero]; // B: reads it
	x[t] = sum;
}
__global__ void known_until_the_barrier(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	int sum = s[20];
	__syncthreads();
	sum += s[20];
	if (t == 63) s[20] = sum; // C: after reads
	__syncthreads();
	x[t] = sum;
}
__global__ void known_in_global(int *x, const int *one)
{
	int sum = 0;
	for (int k = 0; k < 4; k++) sum += one[k];
	x[threadIdx.x] = sum;
	if (threadIdx.x == 63) ((int *)one)[2] = 0; // D: after reads
}
__global__ void ends(int *x, int *null)
{
	if (threadIdx.x == 5) null[0] = 1; // E: no memory
	x[threadIdx.x] = 1;
}
int main()
{
	int *x, *one, h[64] = {1, 2, 3, 4};
	if (cudaMalloc(&x, 256) || cudaMalloc(&one, 16) || cudaMemcpy(one, h, 16, cudaMemcpyHostToDevice)) return 1;
	known_until_written<<<1, 64>>>(x, 0);
	known_until_the_barrier<<<1, 64>>>(x);
	known_in_global<<<1, 64>>>(x, one);
	ends<<<1, 64>>>(x, nullptr);
	cudaMemcpy(h, x, 256, cudaMemcpyDeviceToHost);
	printf("%d %d %d\n", h[4], h[5], h[6]);
	return cudaFree(x) || cudaFree(one);
}
END
cpudevice/cucc --check -o "$out/loops" "$out/loops.cu" || { echo "not ok"; exit 1; }
rm -f "$out/loops.json"
CUDA_CPU_REPORT=$out/loops.json "$out/loops" >"$out/loops.out" 2>"$out/loops.err"
failed=0
expect() { # what, letter of the line, thread
	line=$(grep -n "// $2:" "$out/loops.cu" | cut -d: -f1)
	if grep "\"line\": $line," "$out/loops.json" | grep -q "\"thread\": \[$3, 0, 0\]"; then echo "ok"; else failed=1 && echo "not ok"; echo "not found: $1"; fi
}
expect "a write after reads of a known word" A 8
expect "a read after that write" B 9
expect "a write after reads of this epoch" C 63
expect "a write after reads in global memory" D 63
expect "a fault, by its thread" E 5
# Thread 4 has written its 1; 5 has ended, and 6 with it, so that theirs are still the sum 10.
if [ "$(cat "$out/loops.out")" = "1 10 10" ]; then echo "ok"; else failed=1 && echo "not ok"; cat "$out/loops.out"; fi
# A loop that waits for a plain flag is not run so: the thread that sets it has its turn, and the race is seen.
cpudevice/cucc --check -o "$out/flag" cpudevice/tests/mistakes/race_plain_flag.cu && CUDA_CPU_STRICT=1 CUDA_CPU_WATCHDOG=1 "$out/flag" 2>"$out/flag.err"
if grep -q '^racecheck: race in shared memory' "$out/flag.err"; then echo "ok"; else failed=1 && echo "not ok"; echo "not found: a race on a flag"; fi
[ $failed = 0 ]
