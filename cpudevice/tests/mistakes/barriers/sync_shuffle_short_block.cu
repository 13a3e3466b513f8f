// A warp sum in a block of 20 threads: lanes 20 to 31 do not exist.
#include "../mistake.h"

__global__ void sum(int *x)
{
	int v = threadIdx.x;
	for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d); // BUG: synccheck
	if (threadIdx.x == 0) *x = v;
}
int main()
{
	int *x = device_zeros<int>(1);
#ifdef FIXED
	sum<<<1, 32>>>(x);
#else
	sum<<<1, 20>>>(x);
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
