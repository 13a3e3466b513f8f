// GPU 1's kernel reads memory of GPU 0's pool: peer access is for cudaMalloc()'s memory, and does not open a pool.
// SAYS: cudaMemPoolSetAccess() has not opened that
#include "gpus.h"

__global__ void add(int *y, const int *x)
{
	y[threadIdx.x] += x[threadIdx.x]; // BUG: memcheck
}
int main()
{
	gpus_begin();
	int *x[2];
	for (int i = 0; i < 2; i++) {
		CHECK(cudaSetDevice(i));
		CHECK(cudaMallocAsync(&x[i], 64 * sizeof(int), stream[i]));
		CHECK(cudaMemsetAsync(x[i], 0, 64 * sizeof(int), stream[i]));
		CHECK(cudaStreamSynchronize(stream[i]));
	}
	cudaMemPool_t pool;
	cudaMemAccessDesc open = {};
	open.location.type = cudaMemLocationTypeDevice;
	open.flags = cudaMemAccessFlagsProtReadWrite;
#ifdef FIXED
	open.location.id = 1;
	CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
#else
	open.location.id = 0;
	CHECK(cudaDeviceGetDefaultMemPool(&pool, 1));
#endif
	CHECK(cudaMemPoolSetAccess(pool, &open, 1));
	add<<<1, 64, 0, stream[1]>>>(x[1], x[0]);
	CHECK(cudaGetLastError());
	CHECK(cudaStreamSynchronize(stream[1]));
	for (int i = 0; i < 2; i++)
		CHECK(cudaFreeAsync(x[i], stream[i]));
	CHECK(cudaDeviceSynchronize());
	return gpus;
}
