// Two arrays of one size: writing past the first must not land in the second unseen.
#include "../mistake.h"

__global__ void shift(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i + 1 < n) a[i + 1] = i;
#else
	if (i < n) a[i + 1] = i; // BUG: memcheck
#endif
}

int main()
{
	int n = 64;
	int *a = device_zeros<int>(n), *b = device_zeros<int>(n);
	shift<<<1, n>>>(a, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
}
