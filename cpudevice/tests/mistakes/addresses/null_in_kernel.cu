// The allocation never happened.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; } // BUG: memcheck

int main()
{
	int *x = NULL;
#ifdef FIXED
	CHECK(cudaMalloc(&x, 32 * sizeof *x));
#endif
	ones<<<1, 32>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x);
}
