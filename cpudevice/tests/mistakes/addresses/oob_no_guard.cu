// No bounds check: the last block has more threads than there are elements left.
#include "../mistake.h"

__global__ void scale(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i < n) x[i] *= 2;
#else
	x[i] *= 2; // BUG: memcheck
#endif
}

int main()
{
	int n = 1000;
	float *x = device_array<float>(n);
	scale<<<(n + 255) / 256, 256>>>(x, n);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
