// A loop whose threads keep meeting at a barrier and never end.
#include "../mistake.h"

__global__ void settle(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	for (unsigned d = 1; d != 0;) { // BUG: synccheck
		s[t] = x[t];
		__syncthreads();
		x[t] = s[(t + d) % 64];
		__syncthreads();
#ifdef FIXED
		d *= 2;
#else
		d *= 3;
#endif
	}
}

int main()
{
	int *x = device_array<int>(64);
	settle<<<1, 64>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x);
}
