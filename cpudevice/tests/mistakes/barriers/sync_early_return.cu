// Threads beyond the end return before the barrier.
#include "../mistake.h"

__global__ void rotate(int *x, int n)
{
	__shared__ int s[64];
	int i = blockIdx.x * 64 + threadIdx.x;
#ifdef FIXED
	s[threadIdx.x] = i < n ? x[i] : 0;
	__syncthreads();
	if (i < n) x[i] = s[63 - threadIdx.x];
#else
	if (i >= n) return;
	s[threadIdx.x] = x[i];
	__syncthreads(); // BUG: synccheck
	x[i] = s[threadIdx.x];
#endif
}

int main()
{
	int n = 100, *x = device_array<int>(n);
	rotate<<<2, 64>>>(x, n);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
