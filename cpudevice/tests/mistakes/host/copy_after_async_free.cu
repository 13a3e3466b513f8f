// A copy is queued after the free of the memory that it reads.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	cudaStream_t s;
	int *x, h[32];
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaMallocAsync((void **)&x, sizeof h, s));
	ones<<<1, 32, 0, s>>>(x);
#ifndef FIXED
	CHECK(cudaFreeAsync(x, s));
#endif
	CHECK(cudaMemcpyAsync(h, x, sizeof h, cudaMemcpyDeviceToHost, s)); // BUG: memcheck
#ifdef FIXED
	CHECK(cudaFreeAsync(x, s));
#endif
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaStreamDestroy(s));
}
