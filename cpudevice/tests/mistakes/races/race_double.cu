// Threads add to one double without an atomic.
#include "../mistake.h"
// SAYS: 8 bytes of
// SAYS: use atomicAdd()

__global__ void sum(const double *x, double *total)
{
#ifdef FIXED
	atomicAdd(total, x[threadIdx.x]);
#else
	*total += x[threadIdx.x]; // BUG: racecheck
#endif
}

int main()
{
	double *x = device_array<double>(64), *total = device_zeros<double>(1);
	sum<<<1, 64>>>(x, total);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(total));
}
