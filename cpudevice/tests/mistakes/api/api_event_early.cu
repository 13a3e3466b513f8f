// The time of a kernel is asked for before its end has been waited for.
#include "../mistake.h"

__global__ void work(float *x)
{
	for (int i = 0; i < 1000; i++) x[threadIdx.x] = x[threadIdx.x] * 0.5f + 1;
}
int main()
{
	float *x = device_zeros<float>(64), ms = 0;
	cudaEvent_t start, stop;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	CHECK(cudaEventRecord(start));
	work<<<1, 64>>>(x);
	CHECK(cudaEventRecord(stop));
#ifdef FIXED
	CHECK(cudaEventSynchronize(stop));
#endif
	cudaEventElapsedTime(&ms, start, stop); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventDestroy(start));
	CHECK(cudaEventDestroy(stop));
	CHECK(cudaFree(x));
}
