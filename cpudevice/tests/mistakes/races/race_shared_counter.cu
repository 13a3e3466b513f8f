// Every thread stores its own value into one shared variable.
#include "../mistake.h"

__global__ void last(const int *x, int *out)
{
	__shared__ int best;
	int t = threadIdx.x;
	if (t == 0) best = 0;
	__syncthreads();
#ifdef FIXED
	atomicMax(&best, x[t]);
#else
	if (x[t] > best) best = x[t]; // BUG: racecheck
#endif
	__syncthreads();
	if (t == 0) *out = best;
}

int main()
{
	int *x = device_array<int>(96), *out = device_zeros<int>(1);
	last<<<1, 96>>>(x, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(out));
}
