// A memset is three bytes too short: of the last element only one byte is set.
#include "../mistake.h"

__global__ void twice(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x] * 2; } // BUG: initcheck

int main()
{
	int *x, *y = device_zeros<int>(128);
	CHECK(cudaMalloc(&x, 128 * sizeof *x));
#ifdef FIXED
	CHECK(cudaMemset(x, 0, 128 * sizeof *x));
#else
	CHECK(cudaMemset(x, 0, 128 * sizeof *x - 3));
#endif
	twice<<<1, 128>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
