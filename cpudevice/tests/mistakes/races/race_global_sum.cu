// All threads add to one sum without an atomic.
#include "../mistake.h"

__global__ void sum(const float *x, float *total, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (i < n) atomicAdd(total, x[i]);
#else
	if (i < n) *total += x[i]; // BUG: racecheck
#endif
}

int main()
{
	int n = 512;
	float *x = device_array<float>(n), *total = device_zeros<float>(1);
	sum<<<4, 128>>>(x, total, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(total));
}
