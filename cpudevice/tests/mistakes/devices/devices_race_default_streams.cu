// Two GPUs' default streams: neither waits for the other, so the reader on GPU 1 races with the writer on GPU 0.
#include "../mistake.h"

static int devices = setenv("CUDA_CPU_DEVICES", "2", 1);

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void add(int *y, const int *x)
{
	y[threadIdx.x] += x[threadIdx.x]; // BUG: racecheck
}
int main()
{
	int *x = device_zeros<int>(64);
	cudaEvent_t filled;
	CHECK(cudaEventCreate(&filled));
	fill<<<1, 64>>>(x);
	CHECK(cudaEventRecord(filled, 0));
	CHECK(cudaSetDevice(1));
	CHECK(cudaDeviceEnablePeerAccess(0, 0));
	int *y = device_zeros<int>(64);
#ifdef FIXED
	CHECK(cudaStreamWaitEvent(0, filled));
#endif
	add<<<1, 64>>>(y, x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaSetDevice(0));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventDestroy(filled));
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	return devices;
}
