// An atomic of block scope on a counter that all blocks share.
#include "../mistake.h"

__global__ void count(int *c, const int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && x[i] > 0)
#ifdef FIXED
		atomicAdd(c, 1);
#else
		atomicAdd_block(c, 1); // BUG: racecheck
#endif
}

int main()
{
	int *c, *x;
	CHECK(cudaMalloc(&c, sizeof *c));
	CHECK(cudaMalloc(&x, 1024));
	CHECK(cudaMemset(c, 0, sizeof *c));
	CHECK(cudaMemset(x, 1, 1024));
	count<<<4, 64>>>(c, x, 256);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(c));
	CHECK(cudaFree(x));
}
