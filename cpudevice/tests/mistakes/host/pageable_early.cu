// The host reads an array from malloc before the kernel that writes it is done.
// ENV: CUDA_CPU_PAGEABLE=1
#include "../mistake.h"

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main()
{
	int *h = (int *)malloc(64 * sizeof *h);
	for (int i = 0; i < 64; i++) h[i] = i;
	twice<<<1, 64>>>(h);
#ifndef FIXED
	while (!cudaStreamQuery(0)) break; // says nothing of when
#else
	CHECK(cudaDeviceSynchronize());
#endif
	printf("%d\n", h[63]); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
	free(h);
}
