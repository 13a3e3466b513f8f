// A transpose within one shared tile, without a second tile or a barrier.
#include "../mistake.h"

__global__ void transpose(int *x)
{
	__shared__ int s[16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	s[ty][tx] = x[ty * 16 + tx];
	__syncthreads();
#ifdef FIXED
	int v = s[tx][ty];
	__syncthreads();
	s[ty][tx] = v;
#else
	s[ty][tx] = s[tx][ty]; // BUG: racecheck
#endif
	__syncthreads();
	x[ty * 16 + tx] = s[ty][tx];
}

int main()
{
	int *x = device_array<int>(256);
	transpose<<<1, dim3(16, 16)>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
