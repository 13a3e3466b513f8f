// A filter mask in constant memory is read one element too far.
#include "../mistake.h"

__constant__ float mask[5];
__global__ void filter(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#ifdef FIXED
	for (int k = 0; k < 5; k++)
#else
	for (int k = 0; k <= 5; k++)
#endif
		if (i + k < n) sum += in[i + k] * mask[k]; // BUG: memcheck
	if (i < n) out[i] = sum;
}

int main()
{
	int n = 256;
	float h[5] = {1, 2, 3, 2, 1};
	CHECK(cudaMemcpyToSymbol(mask, h, sizeof h));
	float *in = device_array<float>(n), *out = device_zeros<float>(n);
	filter<<<2, 128>>>(in, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
