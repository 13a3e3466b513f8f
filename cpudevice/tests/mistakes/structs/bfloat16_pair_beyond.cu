// A function of cuda_bf16.h takes its operands by value, one of them from past the end of an array.
#include "../mistake.h"
#include <cuda_bf16.h>

__global__ void add(const __nv_bfloat162 *x, __nv_bfloat162 *y, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	if (i + 1 < n)
#endif
		y[i] = __hadd2(x[i], x[i + 1]); // BUG: memcheck
}

int main()
{
	int n = 64;
	__nv_bfloat162 *x = device_zeros<__nv_bfloat162>(n), *y = device_zeros<__nv_bfloat162>(n);
	add<<<1, 64>>>(x, y, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
