// A kernel copies with cudaMemcpy, which is the host's alone.
#include "../mistake.h"

__global__ void parent(const int *x, int *y)
{
#ifdef FIXED
	cudaMemcpyAsync(y, x, 64 * sizeof *x, cudaMemcpyDeviceToDevice, 0);
#else
	cudaMemcpy(y, x, 64 * sizeof *x, cudaMemcpyDeviceToDevice); // BUG: memcheck
#endif
}

int main()
{
	int *x = device_array<int>(64), *y = device_zeros<int>(64);
	parent<<<1, 1>>>(x, y);
#ifdef FIXED
	CHECK(cudaDeviceSynchronize());
#else
	cudaDeviceSynchronize();
#endif
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
