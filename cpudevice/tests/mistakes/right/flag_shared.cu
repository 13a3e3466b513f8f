// Right: one thread of a block waits for another's flag in shared memory.
#include "../mistake.h"

__global__ void hand_over(int *x)
{
	__shared__ volatile int ready;
	__shared__ int value;
	if (threadIdx.x == 0) ready = 0;
	__syncthreads();
	if (threadIdx.x == 32) {
		value = 7;
		__threadfence_block();
		ready = 1;
	}
	if (threadIdx.x == 0) {
		while (!ready) ;
		__threadfence_block();
		*x = value;
	}
}

int main()
{
	int *x, h;
	CHECK(cudaMalloc(&x, sizeof *x));
	hand_over<<<1, 64>>>(x);
	CHECK(cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(x));
	return h != 7;
}
