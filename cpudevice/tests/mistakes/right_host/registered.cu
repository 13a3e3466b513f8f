// Right: kernels and copies on registered host memory, and the host after each synchronize.
#include "../mistake.h"

__global__ void next(int *x, int n)
{
	int i = threadIdx.x;
	if (i < n) x[i]++;
}

int main()
{
	const int n = 500;
	int *h = (int *)malloc(n * sizeof *h), *mapped, *d;
	for (int i = 0; i < n; i++) h[i] = i;
	CHECK(cudaHostRegister(h, n * sizeof *h, cudaHostRegisterMapped));
	CHECK(cudaHostGetDevicePointer((void **)&mapped, h, 0));
	CHECK(cudaMalloc(&d, n * sizeof *h));
	for (int turn = 0; turn < 2; turn++) {
		next<<<1, 512>>>(mapped, n);
		CHECK(cudaMemcpyAsync(d, h, n * sizeof *h, cudaMemcpyHostToDevice));
		next<<<1, 512>>>(d, n);
		CHECK(cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost));
		CHECK(cudaDeviceSynchronize());
		h[0]++;
	}
	int wrong = h[0] != 6 || h[n - 1] != n - 1 + 4;
	CHECK(cudaHostUnregister(h));
	h[1] = 0;
	CHECK(cudaFree(d));
	free(h);
	return wrong;
}
