// More bytes than the __constant__ array has.
#include "../mistake.h"

__constant__ int table[8];
__global__ void use(int *out) { out[threadIdx.x] = table[threadIdx.x]; }

int main()
{
	int h[16] = {1, 2, 3}, *out = device_zeros<int>(8);
#ifdef FIXED
	CHECK(cudaMemcpyToSymbol(table, h, 8 * sizeof(int)));
#else
	cudaMemcpyToSymbol(table, h, sizeof h); // BUG: memcheck
#endif
	use<<<1, 8>>>(out);
	cudaDeviceSynchronize();
	CHECK(cudaFree(out));
}
