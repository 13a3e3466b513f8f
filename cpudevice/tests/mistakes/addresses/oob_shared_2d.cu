// Row and column of a shared tile that is not square are swapped.
#include "../mistake.h"

__global__ void flip(float *x)
{
	__shared__ float tile[8][32];
	int tx = threadIdx.x, ty = threadIdx.y;
#ifdef FIXED
	tile[ty][tx] = x[ty * 32 + tx];
#else
	tile[tx][ty] = x[ty * 32 + tx]; // BUG: memcheck
#endif
	__syncthreads();
	x[ty * 32 + tx] = tile[7 - ty][31 - tx];
}

int main()
{
	float *x = device_array<float>(256);
	flip<<<1, dim3(32, 8)>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
