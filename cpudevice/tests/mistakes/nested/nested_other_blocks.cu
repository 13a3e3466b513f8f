// The first block launches a kernel that uses what all blocks prepare.
#include "../mistake.h"

__global__ void child(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void parent(int *x, int *y)
{
	x[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // BUG: racecheck
	__syncthreads();
	if (blockIdx.x || threadIdx.x) return;
#ifdef FIXED
	child<<<1, 256, 0, cudaStreamTailLaunch>>>(x, y);
#else
	child<<<1, 256>>>(x, y);
#endif
}

int main()
{
	int *x = device_zeros<int>(256), *y = device_zeros<int>(256);
	parent<<<4, 64>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
