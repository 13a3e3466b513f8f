// An in-place stencil: a block reads what its neighbour overwrites.
#include "../mistake.h"

__global__ void smooth(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i > 0 && i < n - 1) {
		float v = (in[i - 1] + in[i] + in[i + 1]) / 3;
		out[i] = v; // BUG: racecheck
	}
}

int main()
{
	int n = 256;
	float *a = device_array<float>(n);
#ifdef FIXED
	float *b = device_zeros<float>(n);
	smooth<<<4, 64>>>(b, a, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(b));
#else
	smooth<<<4, 64>>>(a, a, n);
	CHECK(cudaDeviceSynchronize());
#endif
	CHECK(cudaFree(a));
}
