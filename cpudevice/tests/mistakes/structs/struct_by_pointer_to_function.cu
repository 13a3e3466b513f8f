// A struct that was never written is passed by value to a function that is called through a pointer.
#include "../mistake.h"

struct one { float v; };
__device__ float twice(one o) { return 2 * o.v; }
__device__ float half(one o) { return o.v / 2; }
__global__ void apply(const one *x, float *y)
{
	float (*f)(one) = threadIdx.x % 2 ? twice : half;
	y[threadIdx.x] = f(x[threadIdx.x]); // BUG: initcheck
}

int main()
{
	one *x;
	CHECK(cudaMalloc(&x, 64 * sizeof *x));
#ifdef FIXED
	CHECK(cudaMemset(x, 0, 64 * sizeof *x));
#else
	CHECK(cudaMemset(x, 0, 64));
#endif
	float *y = device_zeros<float>(64);
	apply<<<1, 64>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
