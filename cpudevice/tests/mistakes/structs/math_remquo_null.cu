// remquof() writes its quotient through a null pointer.
#include "../mistake.h"

__global__ void quotients(const float *x, int *q, float *r)
{
	r[threadIdx.x] = remquof(x[threadIdx.x], 3, q ? q + threadIdx.x : q); // BUG: memcheck
}

int main()
{
	float *x = device_array<float>(32), *r = device_zeros<float>(32);
	int *q = device_zeros<int>(32);
#ifdef FIXED
	quotients<<<1, 32>>>(x, q, r);
#else
	quotients<<<1, 32>>>(x, nullptr, r);
#endif
	cudaDeviceSynchronize();
	cudaFree(x), cudaFree(r), cudaFree(q);
}
