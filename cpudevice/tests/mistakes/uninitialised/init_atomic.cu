// Atomics on bins that were never cleared.
#include "../mistake.h"

__global__ void histogram(const unsigned char *in, unsigned *bins) { atomicAdd(&bins[in[threadIdx.x]], 1u); } // BUG: initcheck

int main()
{
	unsigned char *in = device_array<unsigned char>(64);
	unsigned *bins;
	CHECK(cudaMalloc(&bins, 256 * sizeof *bins));
#ifdef FIXED
	CHECK(cudaMemset(bins, 0, 256 * sizeof *bins));
#endif
	histogram<<<1, 64>>>(in, bins);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(bins));
}
