// A launch fails, and the error is never checked.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x = device_zeros<int>(64);
#ifdef FIXED
	ones<<<1, 64>>>(x);
#else
	ones<<<1, dim3(64, 64)>>>(x); // BUG: hostcheck
#endif
	cudaFree(x);
}
