// Right: a lock in shared memory.
#include "../mistake.h"

__global__ void work(int *out)
{
	__shared__ int lock, total;
	if (threadIdx.x == 0) lock = total = 0;
	__syncthreads();
	bool done = false;
	while (!done) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			__threadfence_block();
			total += threadIdx.x;
			__threadfence_block();
			atomicExch(&lock, 0);
			done = true;
		}
	}
	__syncthreads();
	if (threadIdx.x == 0) out[blockIdx.x] = total;
}
int main()
{
	int *out = device_zeros<int>(2), h[2];
	work<<<2, 128>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	return h[0] != 128 * 127 / 2 || h[1] != h[0];
}
