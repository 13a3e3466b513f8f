// The first block to take a lock passes a fence of block scope, which does not reach the other blocks.
#include "../mistake.h"

__device__ int lock, total;
__global__ void work()
{
	while (atomicExch(&lock, 1) != 0) ;
#ifndef FIXED
	if (blockIdx.x == 0)
		__threadfence_block();
	else
#endif
		__threadfence();
	total = total + 1; // BUG: racecheck
	__threadfence();
	atomicExch(&lock, 0);
}

int main()
{
	work<<<6, 1>>>();
	CHECK(cudaDeviceSynchronize());
}
