// Managed memory is read before the kernel is done.
#include "../mistake.h"

__global__ void square(int *x) { x[threadIdx.x] *= x[threadIdx.x]; }

int main()
{
	int *x, sum = 0;
	CHECK(cudaMallocManaged(&x, 64 * sizeof *x));
	for (int i = 0; i < 64; i++) x[i] = i;
	square<<<1, 64>>>(x);
#ifdef FIXED
	CHECK(cudaDeviceSynchronize());
#endif
	for (int i = 0; i < 64; i++) sum += x[i]; // BUG: hostcheck
	printf("%d\n", sum);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
