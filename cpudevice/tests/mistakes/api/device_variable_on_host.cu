// The host writes a __device__ variable as if it were its own.
#include "../mistake.h"

__device__ int limit;
__global__ void clamp(int *x) { x[threadIdx.x] = min(x[threadIdx.x], limit); }

int main()
{
	int *x = device_array<int>(32);
#ifdef FIXED
	int h = 10;
	CHECK(cudaMemcpyToSymbol(limit, &h, sizeof h));
#else
	limit = 10; // BUG: memcheck
#endif
	clamp<<<1, 32>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
