// Copies by cp.async on the chip of round figures (round.csv): a copy that was ordered earlier has less of its trip left when
// it is waited for. One warp copies 4 lines, each past all caches: 1000 ns; it reads each line 40 times, four reads at a time: 10
// times 10 ns; two barriers in each turn take 5 ns each.
// BUILD: $cucc --check -o $exe $case
// Ordered and waited for in one turn: 4 x (1000 + 110).
// TEST: waits at once
// RUN: modelled; columns at_once_kernel latency_us
// PRINTS: 4.440
// The next one is ordered before the wait for this one: waits of 1000, 1000 - 1110 (none), 1000 - 110, 1000 - (890 + 110).
// TEST: ordered a turn ahead
// RUN: modelled; columns ahead_kernel latency_us
// PRINTS: 2.330
// Ordered when the line before has been read, at the end of the turn: as if at once.
// TEST: ordered too late
// RUN: modelled; columns late_kernel latency_us
// PRINTS: 4.440
#include <cuda_pipeline.h>

enum { LINES = 4, READS = 40 };

static __device__ void order(float (*tile)[32], const float *x, int line)
{
	if (line < LINES)
		__pipeline_memcpy_async(&tile[line % 2][threadIdx.x], x + 32 * line + threadIdx.x, 4);
	__pipeline_commit();
}

static __device__ float read(const float *tile)
{
	float s = 0;
	for (int k = 0; k < READS; k++)
		s += tile[k % 32];
	return s;
}

static __global__ void at_once_kernel(const float *x, float *y)
{
	__shared__ float tile[2][32];
	float s = 0;
	for (int line = 0; line < LINES; line++) {
		order(tile, x, line);
		__pipeline_wait_prior(0);
		__syncthreads();
		s += read(tile[line % 2]);
		__syncthreads();
	}
	y[threadIdx.x] = s;
}

static __global__ void ahead_kernel(const float *x, float *y)
{
	__shared__ float tile[2][32];
	float s = 0;
	order(tile, x, 0);
	for (int line = 0; line < LINES; line++) {
		order(tile, x, line + 1);
		__pipeline_wait_prior(1);
		__syncthreads();
		s += read(tile[line % 2]);
		__syncthreads();
	}
	y[threadIdx.x] = s;
}

static __global__ void late_kernel(const float *x, float *y)
{
	__shared__ float tile[2][32];
	float s = 0;
	order(tile, x, 0);
	for (int line = 0; line < LINES; line++) {
		__pipeline_wait_prior(0);
		__syncthreads();
		s += read(tile[line % 2]);
		order(tile, x, line + 1);
		__syncthreads();
	}
	y[threadIdx.x] = s;
}

int main()
{
	float *x, *y;
	cudaMalloc(&x, 32 * LINES * sizeof *x);
	cudaMalloc(&y, 32 * sizeof *y);
	cudaMemset(x, 0, 32 * LINES * sizeof *x);
	at_once_kernel<<<1, 32>>>(x, y);
	ahead_kernel<<<1, 32>>>(x, y);
	late_kernel<<<1, 32>>>(x, y);
	const cudaError_t e = cudaDeviceSynchronize();
	cudaFree(x);
	cudaFree(y);
	return e != cudaSuccess;
}
