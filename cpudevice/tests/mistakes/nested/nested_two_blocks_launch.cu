// Two blocks launch kernels that use one array, but each block has its own default stream.
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
