// The host reads through a cudaMalloc pointer.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x, sum = 0;
	CHECK(cudaMalloc(&x, 32 * sizeof *x));
	ones<<<1, 32>>>(x);
	CHECK(cudaDeviceSynchronize());
#ifdef FIXED
	int h[32];
	CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 32; i++) sum += h[i];
#else
	for (int i = 0; i < 32; i++) sum += x[i]; // BUG: memcheck
#endif
	printf("%d\n", sum);
	CHECK(cudaFree(x));
}
