// Right: threads of one warp take a lock one after the other.
#include "../mistake.h"

__device__ int lock, total;
__global__ void work()
{
	bool done = false;
	while (!done) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			__threadfence();
			total = total + 1;
			__threadfence();
			atomicExch(&lock, 0);
			done = true;
		}
	}
}
int main()
{
	work<<<4, 64>>>();
	int h;
	CHECK(cudaMemcpyFromSymbol(&h, total, sizeof h));
	return h != 256;
}
