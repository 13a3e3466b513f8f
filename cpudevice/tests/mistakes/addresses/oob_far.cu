// An index computed in the wrong unit goes far beyond the array.
#include "../mistake.h"

__global__ void pick(const int *a, int *b, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	b[i] = a[i * n / 64];
#else
	b[i] = a[i * n]; // BUG: memcheck
#endif
}

int main()
{
	int n = 100000;
	int *a = device_array<int>(n), *b = device_zeros<int>(64);
	pick<<<1, 64>>>(a, b, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
}
