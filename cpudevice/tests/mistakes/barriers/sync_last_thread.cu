// All threads but the last one return before the barrier.
#include "../mistake.h"
// SAYS: 255 of 256 threads never reach it

__global__ void last(int *x)
{
#ifdef FIXED
	__syncthreads();
#endif
	if (threadIdx.x != 255) return;
#ifndef FIXED
	__syncthreads(); // BUG: synccheck
#endif
	x[0] = 1;
}

int main()
{
	int *x = device_array<int>(1);
	last<<<1, 256>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
