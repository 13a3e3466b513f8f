// A class within the kernel stores what a call returns where another thread still reads.
#include "../mistake.h"

struct pair { int a, b; };
__device__ __noinline__ pair made(int v) { return {v, v + 1}; }
__global__ void shift(pair *x)
{
	struct Place {
		pair *at;
		__device__ void set(int v)
		{
			*at = made(v); // BUG: racecheck
		}
	};
	int t = threadIdx.x;
	pair mine = x[(t + 1) % 64];
#ifdef FIXED
	__syncthreads();
#endif
	Place{x + t}.set(mine.a);
}

int main()
{
	pair *x = device_zeros<pair>(64);
	shift<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
