// cudaMalloc is given elements instead of bytes.
#include "../mistake.h"

__global__ void iota(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] = i; // BUG: memcheck
}

int main()
{
	int n = 1024, *x;
#ifdef FIXED
	CHECK(cudaMalloc(&x, n * sizeof *x));
#else
	CHECK(cudaMalloc(&x, n));
#endif
	iota<<<4, 256>>>(x, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
