// A function takes a float4 by value from past the end of an array.
#include "../mistake.h"

__device__ __noinline__ float length2(float4 v) { return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }
__global__ void lengths(const float4 *x, float *y, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	if (i < n)
#endif
		y[i] = length2(x[i]); // BUG: memcheck
}

int main()
{
	int n = 100;
	float4 *x;
	float *y = device_zeros<float>(128);
	CHECK(cudaMalloc(&x, n * sizeof *x));
	CHECK(cudaMemset(x, 0, n * sizeof *x));
	lengths<<<1, 128>>>(x, y, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
