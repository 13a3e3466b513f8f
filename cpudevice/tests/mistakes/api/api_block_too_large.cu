// 2048 threads in a block.
#include "../mistake.h"

__global__ void ones(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main()
{
	int *x = device_zeros<int>(2048);
#ifdef FIXED
	ones<<<2, 1024>>>(x);
#else
	ones<<<1, 2048>>>(x); // BUG: memcheck
#endif
	if (cudaGetLastError() != cudaSuccess) printf("launch failed\n");
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
