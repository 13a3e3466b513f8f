// Thread 0 clears the counters, and all threads count at once.
#include "../mistake.h"

__global__ void histogram(const int *x, int n, int *result)
{
	__shared__ int bins[16];
	if (threadIdx.x == 0)
		for (int i = 0; i < 16; i++) bins[i] = 0;
#ifdef FIXED
	__syncthreads();
#endif
	for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[x[i] & 15], 1); // BUG: racecheck
	__syncthreads();
	if (threadIdx.x < 16) result[threadIdx.x] = bins[threadIdx.x];
}

int main()
{
	int *x, *result;
	CHECK(cudaMalloc(&x, 4000));
	CHECK(cudaMalloc(&result, 64));
	CHECK(cudaMemset(x, 5, 4000));
	histogram<<<1, 128>>>(x, 1000, result);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(result));
}
