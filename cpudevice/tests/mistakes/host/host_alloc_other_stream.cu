// Memory that one stream allocates is used on another, which does not wait for the allocation.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x;
	cudaStream_t s, t;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaMallocAsync(&x, 64 * sizeof *x, s)); // BUG: hostcheck
#ifdef FIXED
	CHECK(cudaStreamSynchronize(s));
#endif
	ones<<<1, 64, 0, t>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFreeAsync(x, t));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaStreamDestroy(t));
}
