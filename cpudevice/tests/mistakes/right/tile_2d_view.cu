// Right: a tile declared in two dimensions is walked through as one.
#include "../mistake.h"

__global__ void linear(int *x)
{
	__shared__ int tile[8][32];
	int t = threadIdx.y * 32 + threadIdx.x;
	tile[0][t] = x[t];
	__syncthreads();
	x[t] = tile[7 - threadIdx.y][31 - threadIdx.x];
}
int main()
{
	int *x = device_array<int>(256);
	linear<<<1, dim3(32, 8)>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
