// cudaEventElapsedTime() puts the time into managed memory that a kernel still reads.
#include "../mistake.h"

__global__ void scale(const float *factor, float *x) { x[threadIdx.x] *= *factor; }

int main()
{
	float *x = device_zeros<float>(64), *factor;
	CHECK(cudaMallocManaged(&factor, sizeof *factor));
	*factor = 1;
	cudaEvent_t from, to;
	CHECK(cudaEventCreate(&from));
	CHECK(cudaEventCreate(&to));
	CHECK(cudaEventRecord(from));
	CHECK(cudaEventRecord(to));
	CHECK(cudaEventSynchronize(to));
	scale<<<1, 64>>>(factor, x);
#ifdef FIXED
	CHECK(cudaDeviceSynchronize());
#endif
	CHECK(cudaEventElapsedTime(factor, from, to)); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventDestroy(from));
	CHECK(cudaEventDestroy(to));
	CHECK(cudaFree(factor));
	CHECK(cudaFree(x));
}
