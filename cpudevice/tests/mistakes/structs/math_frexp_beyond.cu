// frexpf() writes its exponent past the end of an array.
#include "../mistake.h"

__global__ void exponents(const float *x, int *e, float *m, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	if (i < n)
#endif
		m[i] = frexpf(x[i], &e[i]); // BUG: memcheck
}

int main()
{
	float *x = device_array<float>(64), *m = device_zeros<float>(64);
	int *e = device_zeros<int>(50);
	exponents<<<1, 64>>>(x, e, m, 50);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(m));
	CHECK(cudaFree(e));
}
