// A kernel is given the name of a __device__ array as its argument.
#include "../mistake.h"

__device__ float sums[32];
__global__ void count(float *out) { out[threadIdx.x] += 1; }

int main()
{
#ifdef FIXED
	float *p;
	CHECK(cudaGetSymbolAddress((void **)&p, sums));
	count<<<1, 32>>>(p);
#else
	count<<<1, 32>>>(sums); // BUG: memcheck
#endif
	CHECK(cudaDeviceSynchronize());
}
