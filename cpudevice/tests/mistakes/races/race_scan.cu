// An in-place scan whose read and write share one step.
#include "../mistake.h"

__global__ void scan(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = x[t];
	__syncthreads();
	for (int d = 1; d < 64; d *= 2) {
#ifdef FIXED
		int v = t >= d ? s[t - d] : 0;
		__syncthreads();
		s[t] += v;
#else
		if (t >= d) s[t] += s[t - d]; // BUG: racecheck
#endif
		__syncthreads();
	}
	x[t] = s[t];
}

int main()
{
	int *x = device_array<int>(64);
	scan<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
