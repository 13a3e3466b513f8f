// Two blocks launch kernels that use one array: each block has a default stream of its own.
#include "../mistake.h"

__global__ void child(int *x) { x[threadIdx.x]++; } // BUG: racecheck
__global__ void parent(int *x)
{
	if (threadIdx.x) return;
#ifdef FIXED
	child<<<1, 64, 0, cudaStreamTailLaunch>>>(x);
#else
	child<<<1, 64>>>(x);
#endif
}

int main()
{
	int *x = device_zeros<int>(64);
	parent<<<2, 32>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
