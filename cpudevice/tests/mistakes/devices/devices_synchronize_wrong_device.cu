// The host waits for GPU 0, which is current, and reads what GPU 1's kernel writes.
#include "../mistake.h"

static int devices = setenv("CUDA_CPU_DEVICES", "2", 1);

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }
int main()
{
	int *x, sum = 0;
	CHECK(cudaMallocManaged(&x, 64 * sizeof *x));
	CHECK(cudaSetDevice(1));
	fill<<<1, 64>>>(x);
	CHECK(cudaGetLastError());
#ifndef FIXED
	CHECK(cudaSetDevice(0));
#endif
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		sum += x[i]; // BUG: hostcheck
	CHECK(cudaSetDevice(1));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	return devices + (sum < 0);
}
