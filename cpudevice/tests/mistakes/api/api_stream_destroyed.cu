// A launch into a stream that was destroyed.
#include "../mistake.h"

__global__ void ones(int *x) { x[threadIdx.x] = 1; }

int main()
{
	int *x = device_zeros<int>(32);
	cudaStream_t s;
	CHECK(cudaStreamCreate(&s));
#ifdef FIXED
	ones<<<1, 32, 0, s>>>(x);
	CHECK(cudaStreamDestroy(s));
#else
	CHECK(cudaStreamDestroy(s));
	ones<<<1, 32, 0, s>>>(x); // BUG: memcheck
#endif
	if (cudaGetLastError() != cudaSuccess) printf("launch failed\n");
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
