// A tree reduction without a barrier in its loop.
#include "../mistake.h"

__global__ void reduce(const float *in, float *out)
{
	__shared__ float s[256];
	int t = threadIdx.x;
	s[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (t < d) s[t] += s[t + d]; // BUG: racecheck
#ifdef FIXED
		__syncthreads();
#endif
	}
	if (t == 0) out[blockIdx.x] = s[0];
}

int main()
{
	float *in = device_array<float>(512), *out = device_zeros<float>(2);
	reduce<<<2, 256>>>(in, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
