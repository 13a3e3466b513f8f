// A shuffle reads from a lane outside its mask.
#include "../mistake.h"

__global__ void shuffle(int *x)
{
	int t = threadIdx.x, v = x[t];
	if (t < 8) {
#ifdef FIXED
		x[t] = __shfl_sync(0x000000ffu, v, (t + 1) % 8);
#else
		x[t] = __shfl_sync(0x000000ffu, v, t + 8); // BUG: synccheck
#endif
	}
}

int main()
{
	int *x = device_array<int>(32);
	shuffle<<<1, 32>>>(x);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
