// An object is assigned to a struct by its class's operator: the store, past the end, is that function's.
#include "../mistake.h"

struct pair { int a, b; };
struct maker {
	int v;
	__device__ __noinline__ operator pair() const { return {v, v + 1}; }
};
__global__ void fill(pair *x, int n)
{
	maker m = {(int)threadIdx.x};
#ifdef FIXED
	if (m.v < n)
#endif
		x[m.v] = m; // BUG: memcheck
}

int main()
{
	pair *x = device_zeros<pair>(60);
	fill<<<1, 64>>>(x, 60);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
