// cudaFreeAsync runs on a different stream from the kernel that still uses the memory.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x;
	cudaStream_t s, t;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaMallocAsync(&x, 64 * sizeof *x, s));
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaMemsetAsync(x, 0, 64 * sizeof *x, s));
#ifdef FIXED
	CHECK(cudaFreeAsync(x, s));
#else
	CHECK(cudaFreeAsync(x, t)); // BUG: hostcheck
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaStreamDestroy(t));
}
