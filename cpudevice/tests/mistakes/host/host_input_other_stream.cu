// The copy that brings the input is on a different stream from the kernel that reads it.
#include "../mistake.h"

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main()
{
	int n = 64, *x, *h;
	cudaStream_t s, t;
	CHECK(cudaMallocHost(&h, n * sizeof *h));
	for (int i = 0; i < n; i++) h[i] = i;
	CHECK(cudaMalloc(&x, n * sizeof *x));
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaMemcpyAsync(x, h, n * sizeof *h, cudaMemcpyHostToDevice, s)); // BUG: hostcheck
#ifdef FIXED
	CHECK(cudaStreamSynchronize(s));
#endif
	twice<<<1, 64, 0, t>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaStreamDestroy(t));
	CHECK(cudaFree(x));
	CHECK(cudaFreeHost(h));
}
