// A cuda::barrier that counts one thread more than the block has.
#include "../mistake.h"
#include <cuda/barrier>

__global__ void phases(int *x)
{
	__shared__ cuda::barrier<cuda::thread_scope_block> ready;
#ifdef FIXED
	if (threadIdx.x == 0) init(&ready, blockDim.x);
#else
	if (threadIdx.x == 0) init(&ready, blockDim.x + 1);
#endif
	__syncthreads();
	x[threadIdx.x] = 1;
	ready.arrive_and_wait(); // BUG: synccheck
}
int main()
{
	int *x = device_zeros<int>(64);
	phases<<<1, 64>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x);
}
