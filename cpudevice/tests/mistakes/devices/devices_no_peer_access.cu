// GPU 0 may access GPU 1's memory, but the kernel that runs on GPU 1 reads GPU 0's: access is granted in one direction.
// SAYS: touches the memory of device 0
#include "../mistake.h"

static int devices = setenv("CUDA_CPU_DEVICES", "2", 1);

__global__ void add(int *y, const int *x)
{
	y[threadIdx.x] += x[threadIdx.x]; // BUG: memcheck
}
int main()
{
	int *x = device_zeros<int>(64);
	CHECK(cudaDeviceSynchronize());
#ifndef FIXED
	CHECK(cudaDeviceEnablePeerAccess(1, 0));
#endif
	CHECK(cudaSetDevice(1));
#ifdef FIXED
	CHECK(cudaDeviceEnablePeerAccess(0, 0));
#endif
	int *y = device_zeros<int>(64);
	add<<<1, 64>>>(y, x);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	return devices;
}
