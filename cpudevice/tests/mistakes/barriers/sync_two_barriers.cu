// Both branches have a barrier, but not the same one.
#include "../mistake.h"

__global__ void branches(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = t;
#ifdef FIXED
	__syncthreads();
	x[t] = t < 32 ? s[63 - t] : -s[63 - t];
#else
	if (t < 32) {
		__syncthreads(); // BUG: synccheck
		x[t] = s[63 - t];
	} else {
		__syncthreads();
		x[t] = -s[63 - t];
	}
#endif
}

int main()
{
	int *x = device_zeros<int>(64);
	branches<<<1, 64>>>(x);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
