// The memory of a texture is freed before the kernel that reads it.
#include "../mistake.h"

__global__ void read(cudaTextureObject_t t, float *x) { x[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); } // BUG: memcheck

int main()
{
	float *d, *x;
	CHECK(cudaMalloc(&d, 128));
	CHECK(cudaMalloc(&x, 128));
	CHECK(cudaMemset(d, 0, 128));
	cudaResourceDesc what = {};
	what.resType = cudaResourceTypeLinear;
	what.res.linear.devPtr = d;
	what.res.linear.desc = cudaCreateChannelDesc<float>();
	what.res.linear.sizeInBytes = 128;
	cudaTextureDesc how = {};
	cudaTextureObject_t t;
	CHECK(cudaCreateTextureObject(&t, &what, &how, NULL));
#ifndef FIXED
	CHECK(cudaFree(d));
#endif
	read<<<1, 32>>>(t, x);
	cudaDeviceSynchronize();
	CHECK(cudaDestroyTextureObject(t));
#ifdef FIXED
	CHECK(cudaFree(d));
#endif
	cudaFree(x);
}
