// The host reads an array from malloc before the kernel that writes it is done.
// ENV: CUDA_CPU_PAGEABLE=1
#include <unistd.h>
#include "../mistake.h"

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main()
{
	int *h = (int *)malloc(64 * sizeof *h);
	for (int i = 0; i < 64; i++) h[i] = i;
	twice<<<1, 64>>>(h);
#ifdef FIXED
	CHECK(cudaDeviceSynchronize());
#endif
	usleep(200000); // the kernel has mostly ended by then, but nothing says so
	printf("%d\n", h[63]); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
	free(h);
}
