// The copy to the device leaves the last row out.
#include "../mistake.h"

__global__ void sum_rows(const float *a, float *s, int rows, int cols)
{
	int r = threadIdx.x;
	if (r >= rows) return;
	float v = 0;
	for (int c = 0; c < cols; c++) v += a[r * cols + c]; // BUG: initcheck
	s[r] = v;
}

int main()
{
	int rows = 10, cols = 16;
	float h[160] = {1}, *a, *s = device_zeros<float>(10);
	CHECK(cudaMalloc(&a, sizeof h));
#ifdef FIXED
	CHECK(cudaMemcpy(a, h, rows * cols * sizeof(float), cudaMemcpyHostToDevice));
#else
	CHECK(cudaMemcpy(a, h, (rows - 1) * cols * sizeof(float), cudaMemcpyHostToDevice));
#endif
	sum_rows<<<1, 32>>>(a, s, rows, cols);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(s));
}
