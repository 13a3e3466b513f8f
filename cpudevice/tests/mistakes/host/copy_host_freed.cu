// The host array is freed before the copy that it is meant for.
#include "../mistake.h"

int main()
{
	int n = 1000, *d = device_zeros<int>(n), *h = (int *)malloc(n * sizeof *h);
	for (int i = 0; i < n; i++) h[i] = i;
#ifndef FIXED
	free(h);
#endif
	cudaMemcpy(d, h, n * sizeof *h, cudaMemcpyHostToDevice); // BUG: memcheck
#ifdef FIXED
	free(h);
#endif
	CHECK(cudaFree(d));
}
