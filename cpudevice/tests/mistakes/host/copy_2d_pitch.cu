// A 2-D copy whose rows go beyond the allocation.
#include "../mistake.h"

int main()
{
	int rows = 8, cols = 20;
	float *h = (float *)calloc(rows * cols, sizeof *h), *d;
	CHECK(cudaMalloc(&d, rows * cols * sizeof *d));
#ifdef FIXED
	CHECK(cudaMemcpy2D(d, cols * sizeof *d, h, cols * sizeof *h, cols * sizeof *h, rows, cudaMemcpyHostToDevice));
#else
	cudaMemcpy2D(d, 32 * sizeof *d, h, cols * sizeof *h, cols * sizeof *h, rows, cudaMemcpyHostToDevice); // BUG: memcheck
#endif
	CHECK(cudaFree(d));
	free(h);
}
