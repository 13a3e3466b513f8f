// A __device__ table that is too short.
#include "../mistake.h"

__device__ int table[16];
__global__ void use(int *out)
{
	int t = threadIdx.x;
#ifdef FIXED
	out[t] = table[t % 16];
#else
	out[t] = table[t]; // BUG: memcheck
#endif
}

int main()
{
	int h[16] = {1, 2, 3};
	CHECK(cudaMemcpyToSymbol(table, h, sizeof h));
	int *out = device_zeros<int>(20);
	use<<<1, 20>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
