// Right: many threads store the same value: found or not found.
#include "../mistake.h"

__global__ void search(const int *x, int *found, int n)
{
	__shared__ bool any;
	any = false;
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && x[i] > 50) any = true;
	__syncthreads();
	if (any) *found = 1;
}
int main()
{
	int n = 1000, *x = device_array<int>(n), *found = device_zeros<int>(1);
	search<<<8, 128>>>(x, found, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(found));
}
