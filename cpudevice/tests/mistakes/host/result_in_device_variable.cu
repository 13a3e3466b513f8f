// cudaMalloc() puts the pointer into a __device__ variable, of which the host has its own copy.
#include "../mistake.h"

__device__ int *data;
__global__ void fill() { if (data) data[threadIdx.x] = 1; }

int main()
{
	int *h;
#ifdef FIXED
	CHECK(cudaMalloc(&h, 32 * sizeof(int)));
	CHECK(cudaMemcpyToSymbol(data, &h, sizeof h));
#else
	CHECK(cudaMalloc(&data, 32 * sizeof(int))); // BUG: memcheck
	CHECK(cudaMemcpyFromSymbol(&h, data, sizeof h));
#endif
	fill<<<1, 32>>>();
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(h));
}
