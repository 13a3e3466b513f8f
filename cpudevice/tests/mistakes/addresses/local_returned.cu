// A device function returns the address of its own variable.
#include "../mistake.h"

struct Pair { int least, most; };
#ifdef FIXED
__device__ Pair range(const int *x, int n)
#else
__device__ __noinline__ Pair *range(const int *x, int n)
#endif
{
	Pair p = {x[0], x[0]};
	for (int i = 1; i < n; i++) {
		p.least = min(p.least, x[i]);
		p.most = max(p.most, x[i]);
	}
#ifdef FIXED
	return p;
#else
	Pair *volatile result = &p;
	return result;
#endif
}
__global__ void spread(const int *x, int *out)
{
#ifdef FIXED
	Pair p = range(x + threadIdx.x, 8);
	out[threadIdx.x] = p.most - p.least;
#else
	Pair *p = range(x + threadIdx.x, 8);
	out[threadIdx.x] = p->most - p->least; // BUG: memcheck
#endif
}

int main()
{
	int *x = device_array<int>(72), *out = device_zeros<int>(64);
	spread<<<1, 64>>>(x, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(out));
}
