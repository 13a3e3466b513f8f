// The last thread launches a kernel that uses what its whole block prepares, without waiting for the others.
#include "../mistake.h"

__global__ void child(const int *x, int *y) { y[threadIdx.x] = x[63 - threadIdx.x]; }
__global__ void parent(int *x, int *y)
{
	x[threadIdx.x] = threadIdx.x; // BUG: racecheck
#ifdef FIXED
	__syncthreads();
#endif
	if (threadIdx.x == 63) child<<<1, 64>>>(x, y);
}

int main()
{
	int *x = device_zeros<int>(64), *y = device_zeros<int>(64);
	parent<<<1, 64>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
