// A kernel launches another with a pointer to its own local array.
#include "../mistake.h"

__global__ void child(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void parent(int *y)
{
	int mine[4] = {1, 2, 3, 4};
#ifdef FIXED
	int *x;
	if (cudaMalloc(&x, sizeof mine) != cudaSuccess) return;
	for (int i = 0; i < 4; i++) x[i] = mine[i];
#else
	const int *x = mine;
#endif
	child<<<1, 4>>>(x, y); // BUG: memcheck
}

int main()
{
	int *y = device_zeros<int>(4);
	parent<<<1, 1>>>(y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(y));
}
