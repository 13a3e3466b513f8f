// A copy from GPU 0, on a stream of GPU 1, does not wait for the kernel on GPU 0 that writes what it copies.
#include "../mistake.h"

static int devices = setenv("CUDA_CPU_DEVICES", "2", 1);

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }
int main()
{
	int *x = device_zeros<int>(64), *y;
	cudaStream_t to;
	cudaEvent_t filled;
	CHECK(cudaEventCreate(&filled));
	CHECK(cudaSetDevice(1));
	CHECK(cudaMalloc(&y, 64 * sizeof *y));
	CHECK(cudaStreamCreate(&to));
	CHECK(cudaSetDevice(0));
	fill<<<1, 64>>>(x);
	CHECK(cudaEventRecord(filled, 0));
#ifdef FIXED
	CHECK(cudaStreamWaitEvent(to, filled));
#endif
	CHECK(cudaMemcpyPeerAsync(y, 1, x, 0, 64 * sizeof *x, to)); // BUG: hostcheck
	CHECK(cudaStreamSynchronize(to));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(to));
	CHECK(cudaEventDestroy(filled));
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	return devices;
}
