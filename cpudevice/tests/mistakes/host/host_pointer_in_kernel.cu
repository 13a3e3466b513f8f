// A kernel gets a pointer from malloc.
#include "../mistake.h"

__global__ void twice(int *x) { x[threadIdx.x] *= 2; } // BUG: memcheck

int main()
{
	int *h = (int *)malloc(64 * sizeof *h);
	for (int i = 0; i < 64; i++) h[i] = i;
#ifdef FIXED
	int *d = device_zeros<int>(64);
	CHECK(cudaMemcpy(d, h, 64 * sizeof *h, cudaMemcpyHostToDevice));
	twice<<<1, 64>>>(d);
	CHECK(cudaMemcpy(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(d));
#else
	twice<<<1, 64>>>(h);
	cudaDeviceSynchronize();
#endif
	free(h);
}
