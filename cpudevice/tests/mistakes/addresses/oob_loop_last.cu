// A grid-stride loop that runs one element too far.
#include "../mistake.h"

__global__ void fill(double *x, int n)
{
	int stride = gridDim.x * blockDim.x;
#ifdef FIXED
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
#else
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride)
#endif
		x[i] = i; // BUG: memcheck
}

int main()
{
	int n = 4096;
	double *x = device_zeros<double>(n);
	fill<<<4, 64>>>(x, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
