// A whole block writes while its first thread holds a lock, and the last block gives it back without a fence.
#include "../mistake.h"

__device__ int lock, newest[64];
__global__ void work()
{
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0, 1) != 0) ;
		__threadfence();
	}
	__syncthreads();
	newest[threadIdx.x] = (int)blockIdx.x + 1; // BUG: racecheck
	__syncthreads();
	if (threadIdx.x == 0) {
#ifndef FIXED
		if (blockIdx.x + 1 < gridDim.x)
#endif
			__threadfence();
		atomicExch(&lock, 0);
	}
}

int main()
{
	work<<<6, 64>>>();
	CHECK(cudaDeviceSynchronize());
}
