// An asynchronous copy into shared memory is never waited for.
#include "../mistake.h"
#include <cuda_pipeline.h>

__global__ void reverse(int *x)
{
	__shared__ int tile[64];
	int t = threadIdx.x;
	__pipeline_memcpy_async(&tile[t], &x[t], sizeof(int));
	__pipeline_commit();
#ifdef FIXED
	__pipeline_wait_prior(0);
#endif
	__syncthreads();
	x[t] = tile[63 - t]; // BUG: initcheck
}

int main()
{
	int *x = device_array<int>(64);
	reverse<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
