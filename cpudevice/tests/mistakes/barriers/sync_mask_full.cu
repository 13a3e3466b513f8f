// A full mask where only some lanes arrive.
#include "../mistake.h"

__global__ void shuffle(int *x)
{
	int t = threadIdx.x, v = x[t];
	if (t < 16) {
#ifdef FIXED
		v += __shfl_down_sync(0x0000ffffu, v, 8, 16);
#else
		v += __shfl_down_sync(0xffffffffu, v, 8); // BUG: synccheck
#endif
		x[t] = v;
	}
}

int main()
{
	int *x = device_array<int>(32);
	shuffle<<<1, 32>>>(x);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
