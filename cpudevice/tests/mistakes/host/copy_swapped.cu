// Destination and source are swapped.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int h[32] = {0}, *d;
	CHECK(cudaMalloc(&d, sizeof h));
	ones<<<1, 32>>>(d);
#ifdef FIXED
	CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
#else
	cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost); // BUG: memcheck
#endif
	CHECK(cudaFree(d));
}
