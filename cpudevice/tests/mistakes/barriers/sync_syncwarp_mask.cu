// __syncwarp with a mask from a vote that does not name every lane that calls it.
#include "../mistake.h"

__global__ void half(int *x)
{
	int t = threadIdx.x;
	unsigned mask = __ballot_sync(0xffffffffu, t < 16);
#ifdef FIXED
	if (t < 16) {
#else
	if (t <= 16) {
#endif
		x[t] = t;
		__syncwarp(mask); // BUG: synccheck
	}
}

int main()
{
	int *x = device_zeros<int>(32);
	half<<<1, 32>>>(x);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
