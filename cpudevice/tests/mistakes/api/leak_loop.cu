// A buffer is allocated anew in each iteration.
#include "../mistake.h"

__global__ void step(float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] + 1; }

int main()
{
	float *x = device_array<float>(32);
#ifdef FIXED
	float *y = device_zeros<float>(32);
#endif
	for (int i = 0; i < 3; i++) {
#ifndef FIXED
		float *y;
		CHECK(cudaMalloc(&y, 32 * sizeof *y)); // BUG: memcheck
#endif
		step<<<1, 32>>>(x, y);
		CHECK(cudaDeviceSynchronize());
	}
#ifdef FIXED
	CHECK(cudaFree(y));
#endif
	CHECK(cudaFree(x));
}
