// Waiting for the default stream does not wait for a non-blocking one.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x;
	cudaStream_t s;
	CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	CHECK(cudaMallocManaged(&x, 256));
	ones<<<1, 64, 0, s>>>(x);
#ifdef FIXED
	CHECK(cudaStreamSynchronize(s));
#else
	CHECK(cudaStreamSynchronize(0));
#endif
	printf("%d\n", x[63]); // BUG: hostcheck
	CHECK(cudaStreamSynchronize(s));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
}
