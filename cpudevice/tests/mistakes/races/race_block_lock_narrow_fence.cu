// The threads of the last block pass fences of block scope before the barrier behind which the lock is given back.
#include "../mistake.h"

__device__ int lock, newest[64];
__global__ void work()
{
	if (threadIdx.x == 0)
		while (atomicCAS(&lock, 0, 1) != 0) ;
	__syncthreads();
	newest[threadIdx.x] = (int)blockIdx.x + 1; // BUG: racecheck
#ifndef FIXED
	if (blockIdx.x + 1 == gridDim.x)
		__threadfence_block();
	else
#endif
		__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		atomicExch(&lock, 0);
}

int main()
{
	work<<<6, 64>>>();
	CHECK(cudaDeviceSynchronize());
}
