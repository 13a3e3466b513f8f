// A kernel goes past the end of an array from malloc, on a device that may use it.
// ENV: CUDA_CPU_PAGEABLE=1
// SAYS: out of bounds of a host array: 4 bytes past its end
#include "../mistake.h"

__global__ void twice(int *x, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	if (i < n)
#else
	if (i <= n)
#endif
		x[i] *= 2; // BUG: memcheck
}

int main()
{
	const int n = 60;
	int *h = (int *)malloc(n * sizeof *h);
	for (int i = 0; i < n; i++) h[i] = i;
	twice<<<1, 64>>>(h, n);
	CHECK(cudaDeviceSynchronize());
	free(h);
}
