// A loop over a local array goes one too far, in a kernel with barriers.
#include "../mistake.h"

__global__ void spread(int *x, int n)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	int mine[4] = {};
	s[t] = x[t];
	__syncthreads();
#ifdef FIXED
	for (int k = 0; k < n; k++)
#else
	for (int k = 0; k <= n; k++)
#endif
		mine[k] += s[(t + k) % 64]; // BUG: memcheck
	__syncthreads();
	x[t] = mine[0] + mine[1] + mine[2] + mine[3];
}

int main()
{
	int *x = device_array<int>(64);
	spread<<<1, 64>>>(x, 4);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
