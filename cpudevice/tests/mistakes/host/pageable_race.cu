// Two blocks write the same element of an array from malloc.
// ENV: CUDA_CPU_PAGEABLE=1
#include "../mistake.h"

__global__ void last(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	x[i] = i;
#else
	x[i % n] = i; // BUG: racecheck
#endif
}

int main()
{
	int *h = (int *)malloc(128 * sizeof *h);
	last<<<2, 64>>>(h, 64);
	CHECK(cudaDeviceSynchronize());
	free(h);
}
