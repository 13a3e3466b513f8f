// Blocks that publish meet others that are half done, in one order for any number of workers: of each four the last sees
// what the three before it have begun (runtime/exec/turn.c), and ends before them. By volatile stores, and by atomics behind a
// fence.
// BUILD: $cucc --check -o $exe $case
// TEST: blocks that meet half done, by 1 worker
// RUN: CUDA_CPU_WORKERS=1 $exe 2>$work/err
// PRINTS: 11120000 21120000 22120000 11110000 22221112 22222112 22222212 22221111 11120000 21120000 22120000 11110000 22221112 22222112 22222212 22221111
// TEST: blocks that meet half done, by 2 workers
// RUN: CUDA_CPU_WORKERS=2 $exe 2>$work/err
// PRINTS: 11120000 21120000 22120000 11110000 22221112 22222112 22222212 22221111 11120000 21120000 22120000 11110000 22221112 22222112 22222212 22221111
// TEST: blocks that meet half done, by 4 workers
// RUN: CUDA_CPU_WORKERS=4 $exe 2>$work/err
// PRINTS: 11120000 21120000 22120000 11110000 22221112 22222112 22222212 22221111 11120000 21120000 22120000 11110000 22221112 22222112 22222212 22221111
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
