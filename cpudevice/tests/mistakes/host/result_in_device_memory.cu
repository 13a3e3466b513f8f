// cudaMalloc() puts the pointer into a struct on the device.
#include "../mistake.h"

struct vec { int n, *data; };
__global__ void fill(vec *v) { v->data[threadIdx.x] = v->n; }

int main()
{
	vec h = {5, nullptr}, *d;
	CHECK(cudaMalloc(&d, sizeof *d));
#ifdef FIXED
	CHECK(cudaMalloc(&h.data, 32 * sizeof(int)));
#endif
	CHECK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
#ifndef FIXED
	CHECK(cudaMalloc(&d->data, 32 * sizeof(int))); // BUG: memcheck
#endif
	fill<<<1, 32>>>(d);
	CHECK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(h.data));
	CHECK(cudaFree(d));
}
