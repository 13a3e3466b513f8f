// One thread too many writes; the array was allocated in another file.
#include "../mistake.h"
// SAYS: memory: y, a parameter of the kernel

__global__ void twice(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i >= n) return;
#else
	if (i > n) return;
#endif
	float v = i < n ? x[i] : 0;
	y[i] = 2 * v; // BUG: memcheck
}

int main()
{
	int n = 100;
	float *x = device_array<float>(n), *y = device_zeros<float>(n);
	twice<<<1, 128>>>(x, y, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
