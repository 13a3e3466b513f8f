// An atomic past the end of a histogram's bins.
#include "../mistake.h"

enum { BINS = 64 };
__global__ void histogram(const unsigned char *in, int *bins, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i < n) atomicAdd(&bins[in[i] % BINS], 1);
#else
	if (i < n) atomicAdd(&bins[in[i]], 1); // BUG: memcheck
#endif
}

int main()
{
	int n = 1000;
	unsigned char *in = device_array<unsigned char>(n);
	int *bins = device_zeros<int>(BINS);
	histogram<<<4, 256>>>(in, bins, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(bins));
}
