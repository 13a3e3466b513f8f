// A copy back from memory that has been freed.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int h[32], *x;
	CHECK(cudaMalloc(&x, sizeof h));
	ones<<<1, 32>>>(x);
#ifdef FIXED
	CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(x));
#else
	CHECK(cudaFree(x));
	cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost); // BUG: memcheck
#endif
	printf("%d\n", h[0] == 1);
}
