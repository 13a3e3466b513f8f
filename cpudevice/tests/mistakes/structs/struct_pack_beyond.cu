// A function with a parameter pack takes structs by value, the last one from past the end of the array.
#include "../mistake.h"

struct triple { float a[3]; };
template <class... T> __device__ __noinline__ float sum(T... t) { return (t.a[0] + ...) + (t.a[1] + ...) + (t.a[2] + ...); }
__global__ void sums(const triple *x, float *y, int n)
{
	int i = threadIdx.x;
	triple own = {1, 2, 3};
#ifdef FIXED
	if (i < n)
#endif
		y[i] = sum(own, x[i]); // BUG: memcheck
}

int main()
{
	int n = 60;
	triple *x = device_zeros<triple>(n);
	float *y = device_zeros<float>(64);
	sums<<<1, 64>>>(x, y, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
