// A shared accumulator is never set to zero.
#include "../mistake.h"

__global__ void count(const int *x, int *out)
{
	__shared__ int n;
#ifdef FIXED
	if (threadIdx.x == 0) n = 0;
	__syncthreads();
#endif
	if (x[threadIdx.x] > 10) atomicAdd(&n, 1); // BUG: initcheck
	__syncthreads();
	if (threadIdx.x == 0) *out = n;
}

int main()
{
	int *x = device_array<int>(64), *out = device_zeros<int>(1);
	count<<<1, 64>>>(x, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(out));
}
