// A constant is copied on another stream while a kernel may still read it.
#include "../mistake.h"

__constant__ float weight[4];

__global__ void apply(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= weight[i & 3];
}

int main()
{
	const int n = 4000;
	float *x = device_zeros<float>(n), *w;
	cudaStream_t a, b;
	CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	CHECK(cudaMallocHost(&w, 8 * sizeof *w));
	for (int i = 0; i < 8; i++) w[i] = i;
	CHECK(cudaMemcpyToSymbol(weight, w, sizeof weight));
	CHECK(cudaDeviceSynchronize());
	apply<<<16, 256, 0, a>>>(x, n);
#ifdef FIXED
	CHECK(cudaStreamSynchronize(a));
#endif
	CHECK(cudaMemcpyToSymbolAsync(weight, w + 4, sizeof weight, 0, cudaMemcpyHostToDevice, b)); // BUG: hostcheck
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFreeHost(w));
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
}
