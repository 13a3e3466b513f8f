// A lock guards one of two updates.
#include "../mistake.h"

__device__ int lock, count;
__device__ void take() { while (atomicCAS(&lock, 0, 1)) ; __threadfence(); }
__device__ void give() { __threadfence(); atomicExch(&lock, 0); }
__global__ void work()
{
	if (threadIdx.x == 0) {
#ifdef FIXED
		take();
#endif
		count = count + 1; // BUG: racecheck
#ifdef FIXED
		give();
#endif
	}
}

int main()
{
	work<<<8, 32>>>();
	CHECK(cudaDeviceSynchronize());
}
