// Two GPUs that see each other's memory, with a stream each.
#ifndef GPUS_H
#define GPUS_H
#include "../mistake.h"

static int gpus = setenv("CUDA_CPU_DEVICES", "2", 1);
static cudaStream_t stream[2];

static void gpus_begin()
{
	for (int i = 0; i < 2; i++) {
		CHECK(cudaSetDevice(i));
		CHECK(cudaDeviceEnablePeerAccess(1 - i, 0));
		CHECK(cudaStreamCreate(&stream[i]));
	}
}

// n zeros in the memory of each GPU.
static void gpus_zeros(int *x[2], int n)
{
	for (int i = 0; i < 2; i++) {
		CHECK(cudaSetDevice(i));
		x[i] = device_zeros<int>(n);
		CHECK(cudaDeviceSynchronize());
	}
}

static void gpus_free(int *x[2])
{
	for (int i = 0; i < 2; i++)
		CHECK(cudaFree(x[i]));
}

static int gpus_end()
{
	for (int i = 0; i < 2; i++) {
		CHECK(cudaSetDevice(i));
		CHECK(cudaStreamSynchronize(stream[i]));
		CHECK(cudaStreamDestroy(stream[i]));
	}
	return gpus;
}
#endif
