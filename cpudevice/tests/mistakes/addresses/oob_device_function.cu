// The faulty access is in a device function that is called through two levels.
#include "../mistake.h"

__device__ float get(const float *a, int i) { return a[i]; } // BUG: memcheck
__device__ float blur(const float *a, int i, int n)
{
#ifdef FIXED
	return (get(a, max(i - 1, 0)) + get(a, i) + get(a, min(i + 1, n - 1))) / 3;
#else
	(void)n;
	return (get(a, i - 1) + get(a, i) + get(a, i + 1)) / 3;
#endif
}
__global__ void smooth(const float *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) b[i] = blur(a, i, n);
}

int main()
{
	int n = 300;
	float *a = device_array<float>(n), *b = device_zeros<float>(n);
	smooth<<<3, 128>>>(a, b, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
}
