// memcpy out of managed memory before the kernel is done.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x, h[32];
	CHECK(cudaMallocManaged(&x, sizeof h));
	ones<<<1, 32>>>(x);
#ifdef FIXED
	CHECK(cudaDeviceSynchronize());
#endif
	memcpy(h, x, sizeof h); // BUG: hostcheck
	printf("%d\n", h[3]);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
