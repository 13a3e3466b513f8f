// The first block to take a lock passes no fence behind it: it would see old values if it came second.
#include "../mistake.h"

__device__ int lock, total;
__global__ void work()
{
	while (atomicCAS(&lock, 0, 1) != 0) ;
#ifndef FIXED
	if (blockIdx.x > 0)
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
