// The host reads registered memory before the copy into it is done.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *h = (int *)malloc(4096), *d;
	CHECK(cudaHostRegister(h, 4096, cudaHostRegisterDefault));
	CHECK(cudaMalloc(&d, 256));
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
	ones<<<1, 64, 0, s>>>(d);
	CHECK(cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s));
#ifdef FIXED
	CHECK(cudaStreamSynchronize(s));
#endif
	printf("%d\n", h[63]); // BUG: hostcheck
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaHostUnregister(h));
	CHECK(cudaFree(d));
	free(h);
}
