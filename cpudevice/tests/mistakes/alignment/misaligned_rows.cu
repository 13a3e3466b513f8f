// float2 rows of odd length: every second row is misaligned.
#include "../mistake.h"

__global__ void halve(float *a, int cols)
{
	int row = blockIdx.x, c = threadIdx.x;
#ifdef FIXED
	a[row * cols + 2 * c] /= 2;
	a[row * cols + 2 * c + 1] /= 2;
#else
	float2 *p = (float2 *)(a + row * cols);
	p[c].x /= 2;
	float2 v = p[c]; // BUG: memcheck
	v.y /= 2;
	p[c] = v;
#endif
}

int main()
{
	int rows = 4, cols = 33;
	float *a = device_array<float>(rows * cols);
	halve<<<rows, cols / 2>>>(a, cols);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
}
