// The loop that fills a host array goes one element too far.
#include "../mistake.h"

__global__ void twice(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= 2;
}

int main()
{
	const int n = 100;
	int *h = (int *)malloc(n * sizeof *h), *d;
#ifdef FIXED
	for (int i = 0; i < n; i++)
#else
	for (int i = 0; i <= n; i++)
#endif
		h[i] = i; // BUG: memcheck
	CHECK(cudaMalloc(&d, n * sizeof *h));
	CHECK(cudaMemcpy(d, h, n * sizeof *h, cudaMemcpyHostToDevice));
	twice<<<1, 128>>>(d, n);
	CHECK(cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(d));
	free(h);
}
