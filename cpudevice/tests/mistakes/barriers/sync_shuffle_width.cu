// A shuffle whose width is not a power of two.
#include "../mistake.h"

__global__ void sum(int *x)
{
	int v = threadIdx.x;
#ifdef FIXED
	for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d, 8);
#else
	for (int d = 6; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d, 12); // BUG: synccheck
#endif
	x[threadIdx.x] = v;
}
int main()
{
	int *x = device_zeros<int>(32);
	sum<<<1, 32>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
