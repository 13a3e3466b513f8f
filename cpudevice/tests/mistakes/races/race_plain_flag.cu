// A flag that is neither volatile nor atomic: the compiler may read it once, and nothing orders the data after it.
#include "../mistake.h"

__global__ void hand_over(int *x)
{
	__shared__ int ready, value;
	int t = threadIdx.x;
	if (t == 0) ready = 0;
	__syncthreads();
#ifdef FIXED
	if (t == 1) value = x[1];
	__syncthreads();
	if (t == 0) x[0] = value;
#else
	if (t == 0) {
		int tries = 0, seen;
		do {
			seen = ready; // BUG: racecheck
			tries++;
		} while (!seen);
		x[0] = value + tries;
	}
	if (t == 1) {
		value = x[1];
		ready = 1;
	}
#endif
}

int main()
{
	int *x = device_array<int>(64);
	hand_over<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
