// A sum into memory that was never cleared.
#include "../mistake.h"

__global__ void add(const int *x, int *sums)
{
	sums[threadIdx.x] += x[threadIdx.x]; // BUG: initcheck
}

int main()
{
	int *x = device_array<int>(64), *sums;
	CHECK(cudaMalloc(&sums, 64 * sizeof *sums));
#ifdef FIXED
	CHECK(cudaMemset(sums, 0, 64 * sizeof *sums));
#endif
	add<<<1, 64>>>(x, sums);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(sums));
}
