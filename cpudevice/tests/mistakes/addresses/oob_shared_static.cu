// A block larger than its shared array.
#include "../mistake.h"

__global__ void reverse(int *x)
{
#ifdef FIXED
	__shared__ int s[128];
#else
	__shared__ int s[64];
#endif
	s[threadIdx.x] = x[threadIdx.x]; // BUG: memcheck
	__syncthreads();
	x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main()
{
	int *x = device_array<int>(128);
	reverse<<<1, 128>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
