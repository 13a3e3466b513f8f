// A kernel uses the result of one that it launched, which it cannot wait for.
#include "../mistake.h"

__global__ void sum(const int *x, int *out)
{
	for (int i = 0; i < 64; i++) *out += x[i];
}
__global__ void scale(int *x, const int *total) { x[threadIdx.x] = x[threadIdx.x] * 100 / *total; }
__global__ void parent(int *x, int *total)
{
	sum<<<1, 1>>>(x, total);
#ifdef FIXED
	scale<<<1, 64, 0, cudaStreamTailLaunch>>>(x, total);
#else
	x[0] = *total > 0; // BUG: racecheck
#endif
}

int main()
{
	int *x = device_array<int>(64), *total = device_zeros<int>(1);
	parent<<<1, 1>>>(x, total);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(total));
}
