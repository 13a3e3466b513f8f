// The result of an async copy is read before the copy is done.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *h, *d, sum = 0;
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaMallocHost(&h, 64 * sizeof *h));
	CHECK(cudaMalloc(&d, 64 * sizeof *d));
	ones<<<1, 64, 0, s>>>(d);
	CHECK(cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost, s));
#ifdef FIXED
	CHECK(cudaStreamSynchronize(s));
#endif
	for (int i = 0; i < 64; i++) sum += h[i]; // BUG: hostcheck
	printf("%d\n", sum);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFreeHost(h));
	CHECK(cudaFree(d));
}
