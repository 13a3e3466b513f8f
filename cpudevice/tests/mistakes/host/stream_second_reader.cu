// Two kernels on one stream read an array, and the second changes it, while a kernel on another stream reads it too.
// ENV: CUDA_CPU_WORKERS=1
#include "../mistake.h"

__global__ void copy(int *y, const int *x) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void turn(int *x) { x[threadIdx.x] = 1 - x[threadIdx.x]; } // BUG: racecheck
int main()
{
	int *x = device_zeros<int>(64), *y = device_zeros<int>(64), *z = device_zeros<int>(64);
	cudaStream_t a, b;
	CHECK(cudaStreamCreate(&a));
	CHECK(cudaStreamCreate(&b));
	CHECK(cudaDeviceSynchronize());
	copy<<<1, 64, 0, a>>>(y, x);
	copy<<<1, 64, 0, b>>>(z, x);
#ifdef FIXED
	CHECK(cudaStreamSynchronize(b));
#endif
	turn<<<1, 64, 0, a>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	CHECK(cudaFree(z));
	return 0;
}
