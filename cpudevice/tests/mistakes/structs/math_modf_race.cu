// modf() writes its whole part to one shared word from all threads.
#include "../mistake.h"

__global__ void fractions(const double *x, double *y)
{
#ifdef FIXED
	double whole;
	y[threadIdx.x] = modf(x[threadIdx.x] * 1.5, &whole);
#else
	__shared__ double whole;
	y[threadIdx.x] = modf(x[threadIdx.x] * 1.5, &whole); // BUG: racecheck
#endif
}

int main()
{
	double *x = device_array<double>(64), *y = device_zeros<double>(64);
	fractions<<<1, 64>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
