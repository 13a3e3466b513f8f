// Two threads share an index: it is computed by a product where a sum was meant.
#include "../mistake.h"

__global__ void store(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i < n) x[i] = i;
#else
	if (i < n) x[i / 2] = i; // BUG: racecheck
#endif
}

int main()
{
	int *x = device_zeros<int>(256);
	store<<<2, 128>>>(x, 256);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
