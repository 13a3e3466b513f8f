// The guard says <= where it means <.
#include "../mistake.h"

__global__ void add(const int *a, int *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i < n)
#else
	if (i <= n)
#endif
		b[i] = a[i] + 1; // BUG: memcheck
}

int main()
{
	int n = 500;
	int *a = device_array<int>(n), *b = device_zeros<int>(n);
	add<<<4, 128>>>(a, b, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
}
