// A maximum by a read and an exchange: what another thread stored in between is lost.
#include "../mistake.h"

__global__ void largest(const int *x, int *most, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
#ifdef FIXED
	atomicMax(most, x[i]);
#else
	if (*most < x[i]) atomicExch(most, x[i]); // BUG: racecheck
#endif
}

int main()
{
	int h[128], *x, *most;
	for (int i = 0; i < 128; i++) h[i] = i * 31 % 97;
	CHECK(cudaMalloc(&x, sizeof h));
	CHECK(cudaMalloc(&most, sizeof *most));
	CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(most, 0, sizeof *most));
	largest<<<2, 64>>>(x, most, 128);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(most));
}
