// Two streams copy their results into one pinned buffer.
#include "../mistake.h"

int main()
{
	int n = 256, *a = device_array<int>(n), *b = device_zeros<int>(n), *h;
	cudaStream_t s, t;
	CHECK(cudaMallocHost(&h, 2 * n * sizeof *h));
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpyAsync(h, a, n * sizeof *h, cudaMemcpyDeviceToHost, s));
#ifdef FIXED
	CHECK(cudaMemcpyAsync(h + n, b, n * sizeof *h, cudaMemcpyDeviceToHost, t));
#else
	CHECK(cudaMemcpyAsync(h, b, n * sizeof *h, cudaMemcpyDeviceToHost, t)); // BUG: hostcheck
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaStreamDestroy(t));
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFreeHost(h));
}
