// Host memory is freed while it is still registered.
#include "../mistake.h"

int main()
{
	int n = 4096, *h = (int *)calloc(n, sizeof *h), *d = device_zeros<int>(n);
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaHostRegister(h, n * sizeof *h, cudaHostRegisterDefault));
	CHECK(cudaMemcpyAsync(d, h, n * sizeof *h, cudaMemcpyHostToDevice, s));
	CHECK(cudaStreamSynchronize(s));
#ifdef FIXED
	CHECK(cudaHostUnregister(h));
#endif
	free(h); // BUG: memcheck
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(d));
}
