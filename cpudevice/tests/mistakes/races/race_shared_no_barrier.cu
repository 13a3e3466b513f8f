// Neighbours' elements are read before a barrier has made the tile complete.
#include "../mistake.h"

__global__ void rotate(int *x)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = x[t];
#ifdef FIXED
	__syncthreads();
#endif
	x[t] = s[(t + 1) % 128]; // BUG: racecheck
}

int main()
{
	int *x = device_array<int>(128);
	rotate<<<1, 128>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
