// Right: the maximum of floats by compare and swap, as the programming guide writes it.
#include "../mistake.h"

__device__ float atomic_max(float *p, float v)
{
	int *a = (int *)p, old = *a, assumed;
	do {
		assumed = old;
		if (__int_as_float(assumed) >= v) break;
		old = atomicCAS(a, assumed, __float_as_int(v));
	} while (assumed != old);
	return __int_as_float(old);
}
__global__ void most(const float *x, float *m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) atomic_max(m, x[i]);
}
int main()
{
	int n = 4000;
	float *x = device_array<float>(n), *m = device_zeros<float>(1), h;
	most<<<16, 256>>>(x, m, n);
	CHECK(cudaMemcpy(&h, m, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(x));
	CHECK(cudaFree(m));
	return h != 99;
}
