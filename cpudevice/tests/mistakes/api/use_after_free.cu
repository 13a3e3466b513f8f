// A kernel works on memory that has been freed.
#include "../mistake.h"

__global__ void twice(float *x) { x[threadIdx.x] *= 2; } // BUG: memcheck

int main()
{
	float *x = device_array<float>(64);
#ifdef FIXED
	twice<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
#else
	CHECK(cudaFree(x));
	twice<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
#endif
}
