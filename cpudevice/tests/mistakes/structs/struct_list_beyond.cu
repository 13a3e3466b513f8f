// A list of what functions return is assigned to the element past the end of the array.
#include "../mistake.h"

struct value { int v; };
struct both { value a, b; };
__device__ __noinline__ value get(int v) { value x; x.v = v; return x; }
__global__ void lists(both *x, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	if (i < n)
#endif
		x[i] = {get(i), get(-i)}; // BUG: memcheck
}

int main()
{
	int n = 50;
	both *x = device_zeros<both>(n);
	lists<<<1, 64>>>(x, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
