// The third launch argument counts elements instead of bytes.
#include "../mistake.h"

__global__ void rotate(float *x)
{
	extern __shared__ float s[];
	int t = threadIdx.x;
	s[t] = x[t]; // BUG: memcheck
	__syncthreads();
	x[t] = s[(t + 1) % blockDim.x];
}

int main()
{
	float *x = device_array<float>(256);
#ifdef FIXED
	rotate<<<1, 256, 256 * sizeof(float)>>>(x);
#else
	rotate<<<1, 256, 256>>>(x);
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
