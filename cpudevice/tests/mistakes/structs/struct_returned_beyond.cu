// A function returns a struct into the element past the end of an array: the store is the call's.
#include "../mistake.h"

struct pair { float a, b; };
__device__ __noinline__ pair make(int i) { pair p; p.a = i, p.b = -i; return p; }
__global__ void fill(pair *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i < n)
#endif
		x[i] = make(i); // BUG: memcheck
}

int main()
{
	int n = 100;
	pair *x = device_zeros<pair>(n);
	fill<<<1, 128>>>(x, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
