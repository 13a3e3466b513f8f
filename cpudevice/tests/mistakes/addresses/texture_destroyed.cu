// The texture object is destroyed before the kernel that reads through it.
#include "../mistake.h"

__global__ void read(cudaTextureObject_t t, float *x) { x[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); } // BUG: memcheck

int main()
{
	float h[64] = {}, *x;
	cudaArray_t a;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocArray(&a, &format, 16, 4));
	CHECK(cudaMemcpy2DToArray(a, 0, 0, h, 64, 64, 4, cudaMemcpyHostToDevice));
	CHECK(cudaMalloc(&x, 64));
	cudaResourceDesc what = {};
	what.resType = cudaResourceTypeArray;
	what.res.array.array = a;
	cudaTextureDesc how = {};
	cudaTextureObject_t t;
	CHECK(cudaCreateTextureObject(&t, &what, &how, NULL));
#ifndef FIXED
	CHECK(cudaDestroyTextureObject(t));
#endif
	read<<<1, 16>>>(t, x);
	cudaDeviceSynchronize();
#ifdef FIXED
	CHECK(cudaDestroyTextureObject(t));
#endif
	cudaFreeArray(a);
	cudaFree(x);
}
