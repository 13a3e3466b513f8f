// A lock that is taken and never released.
#include "../mistake.h"

__device__ int lock;
__global__ void work(int *x)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0, 1)) ; // BUG: synccheck
		__threadfence();
		*x += 1;
#ifdef FIXED
		__threadfence();
		atomicExch(&lock, 0);
#endif
	}
}

int main()
{
	int *x = device_zeros<int>(1);
	work<<<4, 32>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x);
}
