// cudaMemcpy is given the name of a __device__ array.
#include "../mistake.h"

__device__ float table[16];
__global__ void look_up(float *out) { out[threadIdx.x] = table[threadIdx.x % 16]; }

int main()
{
	float h[16] = {0}, *out = device_zeros<float>(32);
#ifdef FIXED
	CHECK(cudaMemcpyToSymbol(table, h, sizeof h));
#else
	cudaMemcpy(table, h, sizeof h, cudaMemcpyHostToDevice); // BUG: memcheck
#endif
	look_up<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
