// The last block to give back a lock passes no fence before it: whoever came after it would see old values.
#include "../mistake.h"

__device__ int lock, last[2];
__global__ void work()
{
	while (atomicCAS(&lock, 0, 1) != 0) ;
	__threadfence();
	last[0] = (int)blockIdx.x + 1; // BUG: racecheck
	last[1] = (int)blockIdx.x + 1;
#ifndef FIXED
	if (blockIdx.x + 1 < gridDim.x)
#endif
		__threadfence();
	atomicExch(&lock, 0);
}

int main()
{
	work<<<6, 1>>>();
	CHECK(cudaDeviceSynchronize());
}
