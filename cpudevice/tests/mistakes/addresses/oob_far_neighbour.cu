// An index in bytes instead of elements lands in the next array, megabytes away.
#include "../mistake.h"

__global__ void mark(float *x, long i) { x[i] = 1; } // BUG: memcheck

int main()
{
	long n = 1 << 18;
	float *x = device_zeros<float>(n), *y = device_zeros<float>(64 * n);
#ifdef FIXED
	mark<<<1, 1>>>(x, n - 1);
#else
	mark<<<1, 1>>>(x, (n - 1) * sizeof(float) * 4);
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
