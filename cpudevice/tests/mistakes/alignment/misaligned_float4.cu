// A float4 access at an offset that is no multiple of 16 bytes.
#include "../mistake.h"

__global__ void copy4(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
	if (4 * i + 3 < n) ((float4 *)out)[i] = ((const float4 *)in)[i];
#else
	if (4 * i + 4 < n) ((float4 *)out)[i] = ((const float4 *)(in + 1))[i]; // BUG: memcheck
#endif
}

int main()
{
	int n = 256;
	float *in = device_array<float>(n), *out = device_zeros<float>(n);
	copy4<<<1, 64>>>(out, in, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
