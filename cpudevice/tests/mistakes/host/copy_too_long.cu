// A copy of more bytes than the device array holds.
#include "../mistake.h"

int main()
{
	int n = 100;
	float *h = (float *)calloc(n, sizeof *h), *d = device_zeros<float>(n);
#ifdef FIXED
	CHECK(cudaMemcpy(d, h, n * sizeof *h, cudaMemcpyHostToDevice));
#else
	cudaMemcpy(d, h, n * sizeof(double), cudaMemcpyHostToDevice); // BUG: memcheck
#endif
	CHECK(cudaFree(d));
	free(h);
}
