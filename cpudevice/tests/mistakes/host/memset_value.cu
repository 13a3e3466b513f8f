// An array of int is to be filled with 1000: cudaMemset fills bytes.
#include "../mistake.h"

__global__ void fill(int *x, int n, int v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] = v;
}
int main()
{
	int n = 256, *x, h[256];
	CHECK(cudaMalloc(&x, n * sizeof *x));
#ifdef FIXED
	fill<<<1, 256>>>(x, n, 1000);
#else
	CHECK(cudaMemset(x, 1000, n * sizeof *x)); // BUG: memcheck
#endif
	CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(x));
	return h[0] == 7;
}
