// Both branches have a barrier, on one line.
#include "../mistake.h"

__global__ void mirror(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x;
#ifdef FIXED
	s[t] = t < 32 ? t : -t; __syncthreads();
#else
	if (t < 32) { s[t] = t; __syncthreads(); } else { s[t] = -t; __syncthreads(); } // BUG: synccheck
#endif
	x[t] = s[63 - t];
}

int main()
{
	int *x;
	CHECK(cudaMalloc(&x, 256));
	mirror<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
