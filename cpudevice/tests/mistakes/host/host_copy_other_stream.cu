// The copy back runs on a different stream from the kernel.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *h, *d;
	cudaStream_t a, b;
	CHECK(cudaStreamCreate(&a));
	CHECK(cudaStreamCreate(&b));
	CHECK(cudaMallocHost(&h, 64 * sizeof *h));
	CHECK(cudaMalloc(&d, 64 * sizeof *d));
	CHECK(cudaMemset(d, 0, 64 * sizeof *d));
	CHECK(cudaDeviceSynchronize());
	ones<<<1, 64, 0, a>>>(d);
#ifdef FIXED
	CHECK(cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost, a));
#else
	CHECK(cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost, b)); // BUG: hostcheck
#endif
	CHECK(cudaDeviceSynchronize());
	printf("%d\n", h[0]);
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
	CHECK(cudaFreeHost(h));
	CHECK(cudaFree(d));
}
