// Right: managed memory passes between host and device with synchronizes between.
#include "../mistake.h"

__managed__ int calls;
__global__ void twice(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= 2;
	if (i == 0) calls++;
}
int main()
{
	int n = 300;
	float *x, sum = 0;
	CHECK(cudaMallocManaged(&x, n * sizeof *x));
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < n; i++) x[i] = i;
		twice<<<3, 128>>>(x, n);
		CHECK(cudaDeviceSynchronize());
		for (int i = 0; i < n; i++) sum += x[i];
	}
	printf("%g %d\n", sum, calls);
	CHECK(cudaFree(x));
}
