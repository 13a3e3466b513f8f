// A non-blocking stream does not wait for the default stream.
#include "../mistake.h"

__global__ void produce(int *x) { x[threadIdx.x] = 1; }
__global__ void consume(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; } // BUG: racecheck

int main()
{
	int *x = device_zeros<int>(64), *y = device_zeros<int>(64);
	cudaStream_t s;
#ifdef FIXED
	CHECK(cudaStreamCreate(&s));
#else
	CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
#endif
	CHECK(cudaDeviceSynchronize());
	produce<<<1, 64>>>(x);
	consume<<<1, 64, 0, s>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
