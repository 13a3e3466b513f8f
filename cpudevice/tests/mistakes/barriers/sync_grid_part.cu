// A grid barrier that only the first block reaches.
#include "../mistake.h"
#include <cooperative_groups.h>

__global__ void phases(int *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
#ifndef FIXED
	if (blockIdx.x > 0) return;
#endif
	cooperative_groups::this_grid().sync(); // BUG: synccheck
}
int main()
{
	int *x = device_zeros<int>(64);
	void *args[] = {&x};
	cudaLaunchCooperativeKernel((void *)phases, 2, 32, args, 0, 0);
	cudaDeviceSynchronize();
	cudaFree(x);
}
