// A stencil tile without room for its halo.
#include "../mistake.h"

enum { R = 2, B = 64 };
__global__ void stencil(const float *in, float *out, int n)
{
#ifdef FIXED
	__shared__ float s[B + 2 * R];
#else
	__shared__ float s[B + R];
#endif
	int i = blockIdx.x * B + threadIdx.x, t = threadIdx.x + R;
	s[t] = in[i];
	if (threadIdx.x < R) {
		s[t - R] = i >= R ? in[i - R] : 0;
		s[t + B] = i + B < n ? in[i + B] : 0; // BUG: memcheck
	}
	__syncthreads();
	float sum = 0;
	for (int k = -R; k <= R; k++) sum += s[t + k];
	out[i] = sum;
}

int main()
{
	int n = 4 * B;
	float *in = device_array<float>(n), *out = device_zeros<float>(n);
	stencil<<<4, B>>>(in, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
