// A memset counts elements instead of bytes: only a quarter is cleared.
#include "../mistake.h"

__global__ void increment(int *x) { x[threadIdx.x]++; } // BUG: initcheck

int main()
{
	int *x;
	CHECK(cudaMalloc(&x, 128 * sizeof *x));
#ifdef FIXED
	CHECK(cudaMemset(x, 0, 128 * sizeof *x));
#else
	CHECK(cudaMemset(x, 0, 128));
#endif
	increment<<<1, 128>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
