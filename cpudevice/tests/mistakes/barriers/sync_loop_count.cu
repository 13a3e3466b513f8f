// Threads run a loop with a barrier a different number of times.
#include "../mistake.h"

__global__ void loop(int *x)
{
	int t = threadIdx.x;
#ifdef FIXED
	int rounds = 4;
#else
	int rounds = t < 16 ? 3 : 4;
#endif
	for (int r = 0; r < rounds; r++) {
		x[t] += r;
		__syncthreads(); // BUG: synccheck
	}
}

int main()
{
	int *x = device_zeros<int>(64);
	loop<<<1, 64>>>(x);
	cudaDeviceSynchronize();
	CHECK(cudaFree(x));
}
