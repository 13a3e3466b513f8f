#include <cstdio>
#include <cuda_runtime.h>
__global__ void over(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	x[i] = n;
}
__global__ void race(int *x)
{
	__shared__ int tile[64];
	tile[threadIdx.x] = x[threadIdx.x];
	x[threadIdx.x] = tile[63 - threadIdx.x];
}
int main()
{
	int *numbers;
	cudaMalloc(&numbers, 100 * sizeof(int));
	cudaMemset(numbers, 0, 100 * sizeof(int));
	for (int i = 0; i < 5; i++) over<<<1, 128>>>(numbers, i);
	race<<<1, 64>>>(numbers);
	cudaDeviceSynchronize();
	cudaFree(numbers);
	puts("done");
	return 0;
}
