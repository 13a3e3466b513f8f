// A kernel is launched into a stream of GPU 1 while GPU 0 is current: the launch fails, and the error is never checked.
#include "../mistake.h"

static int devices = setenv("CUDA_CPU_DEVICES", "2", 1);

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }
int main()
{
	int *x;
	cudaStream_t s;
	CHECK(cudaSetDevice(1));
	CHECK(cudaMalloc(&x, 64 * sizeof *x));
	CHECK(cudaStreamCreate(&s));
#ifndef FIXED
	CHECK(cudaSetDevice(0));
#endif
	fill<<<1, 64, 0, s>>>(x); // BUG: hostcheck
	cudaStreamSynchronize(s);
	cudaStreamDestroy(s);
	cudaFree(x);
	return devices;
}
