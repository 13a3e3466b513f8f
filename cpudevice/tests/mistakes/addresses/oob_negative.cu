// The left neighbour of element 0.
#include "../mistake.h"

__global__ void difference(const int *a, int *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
#ifdef FIXED
		d[i] = i > 0 ? a[i] - a[i - 1] : a[i];
#else
		d[i] = a[i] - a[i - 1]; // BUG: memcheck
#endif
}

int main()
{
	int n = 256;
	int *a = device_array<int>(n), *d = device_zeros<int>(n);
	difference<<<2, 128>>>(a, d, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(d));
}
