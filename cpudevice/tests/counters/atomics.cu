// Atomics with and without a use for their result: 4 warps, each instruction once a warp. As nvcc 13.0 for sm_90: what
// nobody uses is a reduction (RED), but for exchange and compare-and-swap, which are atomics (ATOM) in any case. And memcpy
// in a kernel: its loads and its stores, which are made at one place of the program.
// BUILD: $cucc --check -o $exe $case
// TEST: atomics whose result is used (atom) and those whose is not (red)
// RUN: counted; metrics t_requests_pipe_lsu_mem_global_op_ 'atom\|red' '\.sum'
// PRINTS: 1 atom 0
// PRINTS: 1 red 16
// PRINTS: 2 atom 16
// PRINTS: 2 red 0
// PRINTS: 3 atom 4
// PRINTS: 3 red 4
// PRINTS: 4 atom 4
// PRINTS: 4 red 4
// PRINTS: 5 atom 0
// PRINTS: 5 red 0
// TEST: memcpy in a kernel is 6 loads and 6 stores
// RUN: counted; grep 'copies(' $work/counts.csv
// COUNT: 2 t_requests_pipe_lsu_mem_global_op_\(ld\|st\).sum,6$
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void unused(int *c, float *f)
{
	atomicAdd(&c[threadIdx.x % 8], 1);
	atomicMax(&c[8], (int)threadIdx.x);
	atomicOr((unsigned *)&c[9], 1u << threadIdx.x % 32);
	atomicAdd(&f[threadIdx.x % 16], 1.0f);
}

__global__ void used(int *c, int *out)
{
	int a = atomicAdd(&c[0], 1), b = atomicMin(&c[8], a);
	out[threadIdx.x] = a + b;
	atomicExch(&c[9], a);
	atomicCAS(&c[10], 0, a);
}

template <typename T> __global__ void both(T *c, T *out)
{
	atomicAdd(c, (T)1);
	out[threadIdx.x] = atomicAdd(c + 1, (T)1);
}

struct Point { float x, y, z; };
__global__ void copies(Point *to, const Point *from) { memcpy(to + threadIdx.x, from + threadIdx.x, sizeof *to); }

int main()
{
	int *c, *out;
	float *f, *g;
	if (cudaMalloc(&c, 64) || cudaMalloc(&out, 512) || cudaMalloc(&f, 64) || cudaMalloc(&g, 512)) return 1;
	cudaMemset(c, 0, 64);
	cudaMemset(f, 0, 64);
	unused<<<1, 128>>>(c, f);
	used<<<1, 128>>>(c, out);
	both<<<1, 128>>>(c, out);
	both<<<1, 128>>>(f, g);
	Point *p, *q;
	if (cudaMalloc(&p, 64 * sizeof *p) || cudaMalloc(&q, 64 * sizeof *q)) return 1;
	copies<<<1, 64>>>(p, q);
	return cudaDeviceSynchronize() != cudaSuccess;
}
