// A pinned buffer is refilled while its copy is in flight.
#include "../mistake.h"

int main()
{
	int n = 1024, *h, *d = device_zeros<int>(2 * n);
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaMallocHost(&h, n * sizeof *h));
	for (int part = 0; part < 2; part++) {
#ifdef FIXED
		CHECK(cudaStreamSynchronize(s));
#endif
		for (int i = 0; i < n; i++) h[i] = part; // BUG: hostcheck
		CHECK(cudaMemcpyAsync(d + part * n, h, n * sizeof *h, cudaMemcpyHostToDevice, s));
	}
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFreeHost(h));
	CHECK(cudaFree(d));
}
