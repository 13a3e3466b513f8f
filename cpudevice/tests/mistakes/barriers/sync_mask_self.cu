// The caller is not in its own mask.
#include "../mistake.h"

__global__ void vote(int *x)
{
	int t = threadIdx.x;
#ifdef FIXED
	unsigned mask = 0xffffffffu;
#else
	unsigned mask = 0x0000ffffu;
#endif
	x[t] = (int)__ballot_sync(mask, t & 1); // BUG: synccheck
}

int main()
{
	int *x = device_zeros<int>(32);
	vote<<<1, 32>>>(x);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
