// A kernel uses an array from new after it was deleted, on a device that may use it.
// ENV: CUDA_CPU_PAGEABLE=1
// SAYS: a kernel uses host memory after it was freed
#include "../mistake.h"

__global__ void twice(int *x) { x[threadIdx.x] *= 2; } // BUG: memcheck

int main()
{
	int *h = new int[64];
	for (int i = 0; i < 64; i++) h[i] = i;
#ifndef FIXED
	delete[] h;
#endif
	twice<<<1, 64>>>(h);
	CHECK(cudaDeviceSynchronize());
#ifdef FIXED
	delete[] h;
#endif
}
