// Of two kernels on two streams, one writes what the other reads.
#include "../mistake.h"

__global__ void produce(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void consume(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x] + 1; } // BUG: racecheck

int main()
{
	int *x = device_zeros<int>(64), *y = device_zeros<int>(64);
	cudaStream_t a, b;
	CHECK(cudaStreamCreate(&a));
	CHECK(cudaStreamCreate(&b));
	CHECK(cudaDeviceSynchronize());
	produce<<<1, 64, 0, a>>>(x);
#ifdef FIXED
	cudaEvent_t e;
	CHECK(cudaEventCreate(&e));
	CHECK(cudaEventRecord(e, a));
	CHECK(cudaStreamWaitEvent(b, e, 0));
#endif
	consume<<<1, 64, 0, b>>>(x, y);
	CHECK(cudaDeviceSynchronize());
#ifdef FIXED
	CHECK(cudaEventDestroy(e));
#endif
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
