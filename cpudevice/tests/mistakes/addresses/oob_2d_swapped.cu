// Row and column are swapped in the index of a matrix that is not square.
#include "../mistake.h"

__global__ void negate(float *a, int rows, int cols)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	if (row < rows && col < cols)
#ifdef FIXED
		a[row * cols + col] *= -1;
#else
		a[col * cols + row] *= -1; // BUG: memcheck
#endif
}

int main()
{
	int rows = 20, cols = 50;
	float *a = device_array<float>(rows * cols);
	negate<<<dim3(4, 2), dim3(16, 16)>>>(a, rows, cols);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
}
