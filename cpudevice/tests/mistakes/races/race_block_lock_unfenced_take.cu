// In the first block, the thread that takes a lock for its block reads before a fence or a barrier.
#include "../mistake.h"

__device__ int lock, used, list[64 * 6];
__global__ void work()
{
	__shared__ int begin;
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0, 1) != 0) ;
#ifndef FIXED
		if (blockIdx.x > 0)
#endif
			__threadfence();
		begin = used; // BUG: racecheck
	}
	__syncthreads();
	list[begin + threadIdx.x] = (int)blockIdx.x;
	__syncthreads();
	if (threadIdx.x == 0) {
		used = begin + 64;
		__threadfence();
		atomicExch(&lock, 0);
	}
}

int main()
{
	work<<<6, 64>>>();
	CHECK(cudaDeviceSynchronize());
}
