// The grid is too small: the tail of the result is never written.
#include "../mistake.h"

__global__ void square(const int *x, int *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = x[i] * x[i];
}

int main()
{
	int n = 1000, *x = device_array<int>(n), *y, *h = (int *)malloc(n * sizeof *h);
	CHECK(cudaMalloc(&y, n * sizeof *y));
#ifdef FIXED
	square<<<(n + 127) / 128, 128>>>(x, y, n);
#else
	square<<<n / 128, 128>>>(x, y, n);
#endif
	CHECK(cudaMemcpy(h, y, n * sizeof *y, cudaMemcpyDeviceToHost)); // BUG: initcheck
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	free(h);
}
