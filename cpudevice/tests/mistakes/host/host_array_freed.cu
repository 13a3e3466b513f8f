// The host reads the result after the array that holds it was deleted.
#include "../mistake.h"

__global__ void count_up(int *x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
	int *h = new int[64], *d;
	CHECK(cudaMalloc(&d, 64 * sizeof *h));
	count_up<<<1, 64>>>(d);
	CHECK(cudaMemcpy(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(d));
#ifndef FIXED
	delete[] h;
#endif
	printf("%d\n", h[63]); // BUG: memcheck
#ifdef FIXED
	delete[] h;
#endif
}
