// A barrier that only half of the block reaches.
#include "../mistake.h"

__global__ void half(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = x[t];
	if (t < 32) {
#ifndef FIXED
		__syncthreads(); // BUG: synccheck
#endif
		x[t] = s[t];
	}
#ifdef FIXED
	__syncthreads();
#endif
}

int main()
{
	int *x = device_array<int>(64);
	half<<<1, 64>>>(x);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
