// A block reads the partial sums of the others in the same kernel.
#include "../mistake.h"

__global__ void total(const int *x, int *partial, int *out)
{
	int s = 0;
	for (int i = 0; i < 64; i++) s += x[blockIdx.x * 64 + i];
	partial[blockIdx.x] = s;
#ifndef FIXED
	if (blockIdx.x == gridDim.x - 1) {
		int v = 0;
		for (int b = 0; b < gridDim.x; b++) v += partial[b]; // BUG: racecheck
		*out = v;
	}
#endif
}
__global__ void finish(const int *partial, int *out, int n)
{
	int v = 0;
	for (int b = 0; b < n; b++) v += partial[b];
	*out = v;
}

int main()
{
	int *x = device_array<int>(512), *partial = device_zeros<int>(8), *out = device_zeros<int>(1);
	total<<<8, 1>>>(x, partial, out);
#ifdef FIXED
	finish<<<1, 1>>>(partial, out, 8);
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(partial));
	CHECK(cudaFree(out));
}
