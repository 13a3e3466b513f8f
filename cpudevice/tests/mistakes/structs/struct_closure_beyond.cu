// A closure in the kernel hands on a struct by value from past the end of an array.
#include "../mistake.h"

struct triple { float a[3]; };
__device__ __noinline__ float sum(triple t) { return t.a[0] + t.a[1] + t.a[2]; }
__global__ void sums(const triple *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto add = [&](int from) {
		y[i] = sum(x[from]); // BUG: memcheck
	};
#ifdef FIXED
	if (i < n)
#endif
		add(i);
}

int main()
{
	int n = 100;
	triple *x = device_zeros<triple>(n);
	float *y = device_zeros<float>(128);
	sums<<<1, 128>>>(x, y, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
