// A block writes while its first thread holds a lock. In the last block that thread passes its fence before the barrier.
#include "../mistake.h"

__device__ int lock, newest[64];
__global__ void work()
{
	if (threadIdx.x == 0)
		while (atomicCAS(&lock, 0, 1) != 0) ;
	__syncthreads();
	newest[threadIdx.x] = (int)blockIdx.x + 1; // BUG: racecheck
#ifndef FIXED
	if (threadIdx.x == 0 && blockIdx.x + 1 == gridDim.x)
		__threadfence();
#endif
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
