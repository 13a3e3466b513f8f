// A grid of no blocks: the division rounds down to zero.
#include "../mistake.h"

__global__ void ones(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }

int main()
{
	int n = 100, *x = device_zeros<int>(n);
#ifdef FIXED
	int blocks = (n + 255) / 256;
#else
	int blocks = n / 256;
#endif
	ones<<<blocks, 256>>>(x, n); // BUG: memcheck
	if (cudaGetLastError() != cudaSuccess) printf("launch failed\n");
	CHECK(cudaFree(x));
}
