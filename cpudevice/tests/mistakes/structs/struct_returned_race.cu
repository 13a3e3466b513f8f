// Two blocks store what a function returns in the same element.
#include "../mistake.h"

struct range { int low, high; };
__device__ __noinline__ range of(int i) { range r; r.low = i, r.high = i + 1; return r; }
__global__ void ranges(range *x)
{
#ifdef FIXED
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
	int i = threadIdx.x;
#endif
	x[i] = of(blockIdx.x); // BUG: racecheck
}

int main()
{
	range *x = device_zeros<range>(64);
	ranges<<<2, 32>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
