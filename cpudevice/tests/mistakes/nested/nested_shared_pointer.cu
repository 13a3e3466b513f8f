// A block passes its shared memory to the kernel that it launches.
#include "../mistake.h"

__global__ void child(const int *x, int *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
__global__ void parent(int *x, int *y)
{
	__shared__ int s[64];
	s[threadIdx.x] = x[threadIdx.x];
	__syncthreads();
#ifdef FIXED
	if (threadIdx.x == 0) child<<<1, 64>>>(x, y);
#else
	if (threadIdx.x == 0) child<<<1, 64>>>(s, y); // BUG: memcheck
#endif
}

int main()
{
	int *x = device_array<int>(64), *y = device_zeros<int>(64);
	parent<<<1, 64>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
