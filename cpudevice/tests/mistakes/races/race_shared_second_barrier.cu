// The tile is overwritten while other threads still read it.
#include "../mistake.h"

enum { T = 16 };
__global__ void matmul(float *C, const float *A, const float *B, int n)
{
	__shared__ float a[T][T], b[T][T];
	int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
	float sum = 0;
	for (int t = 0; t < n; t += T) {
		a[ty][tx] = A[row * n + t + tx]; // BUG: racecheck
		b[ty][tx] = B[(t + ty) * n + col];
		__syncthreads();
		for (int k = 0; k < T; k++) sum += a[ty][k] * b[k][tx];
#ifdef FIXED
		__syncthreads();
#endif
	}
	C[row * n + col] = sum;
}

int main()
{
	int n = 64;
	float *A = device_array<float>(n * n), *B = device_array<float>(n * n), *C = device_zeros<float>(n * n);
	matmul<<<dim3(n / T, n / T), dim3(T, T)>>>(C, A, B, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(A));
	CHECK(cudaFree(B));
	CHECK(cudaFree(C));
}
