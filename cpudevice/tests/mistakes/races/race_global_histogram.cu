// A histogram in global memory counts without an atomic.
#include "../mistake.h"
// SAYS: use atomicAdd()

__global__ void histogram(const int *x, int *count, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
#ifdef FIXED
	atomicAdd(&count[x[i]], 1);
#else
	count[x[i]]++; // BUG: racecheck
#endif
}

int main()
{
	int n = 300, *x = device_array<int>(n), *count = device_zeros<int>(100);
	histogram<<<3, 128>>>(x, count, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(count));
}
