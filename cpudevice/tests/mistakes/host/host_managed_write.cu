// The host refills managed memory that a kernel still reads.
#include "../mistake.h"

__global__ void add(const int *x, int *y) { y[threadIdx.x] += x[threadIdx.x]; }

int main()
{
	int *x, *y = device_zeros<int>(64);
	CHECK(cudaMallocManaged(&x, 64 * sizeof *x));
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 64; i++) x[i] = i + round; // BUG: hostcheck
		add<<<1, 64>>>(x, y);
#ifdef FIXED
		CHECK(cudaDeviceSynchronize());
#endif
	}
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
