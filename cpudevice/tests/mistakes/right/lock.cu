// Right: a lock of atomics and fences; blocks add to a plain counter inside it.
#include "../mistake.h"

__device__ int lock, total;
__global__ void work()
{
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0, 1) != 0) ;
		__threadfence();
		total = total + 1;
		__threadfence();
		atomicExch(&lock, 0);
	}
}
int main()
{
	work<<<64, 32>>>();
	int h;
	CHECK(cudaMemcpyFromSymbol(&h, total, sizeof h));
	return h != 64;
}
