// What every planted mistake uses: an error check, and arrays filled on the way.
#ifndef MISTAKE_H
#define MISTAKE_H
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
	fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)
// n elements on the device, with the values 0, 1, 2 ...
template <typename T> static T *device_array(int n)
{
	T *h = (T *)malloc(n * sizeof(T)), *d;
	for (int i = 0; i < n; i++) h[i] = (T)(i % 100);
	CHECK(cudaMalloc(&d, n * sizeof(T)));
	CHECK(cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice));
	free(h);
	return d;
}
// n elements on the device, all zero.
template <typename T> static T *device_zeros(int n)
{
	T *d;
	CHECK(cudaMalloc(&d, n * sizeof(T)));
	CHECK(cudaMemset(d, 0, n * sizeof(T)));
	return d;
}
#endif
