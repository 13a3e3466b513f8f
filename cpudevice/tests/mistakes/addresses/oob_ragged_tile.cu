// A whole tile is loaded although the matrix ends inside it.
#include "../mistake.h"

enum { T = 16 };
__global__ void row_sums(const float *a, float *sums, int n)
{
	__shared__ float tile[T];
	float sum = 0;
	for (int t = 0; t < n; t += T) {
#ifdef FIXED
		tile[threadIdx.x] = t + threadIdx.x < n ? a[blockIdx.x * n + t + threadIdx.x] : 0;
#else
		tile[threadIdx.x] = a[blockIdx.x * n + t + threadIdx.x]; // BUG: memcheck
#endif
		__syncthreads();
		for (int k = 0; k < T; k++) sum += tile[k];
		__syncthreads();
	}
	if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

int main()
{
	int n = 50;
	float *a = device_array<float>(n * n), *s = device_zeros<float>(n);
	row_sums<<<n, T>>>(a, s, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(s));
}
