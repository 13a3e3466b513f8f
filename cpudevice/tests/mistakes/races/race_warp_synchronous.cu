// The last steps of a reduction rely on lockstep, volatile or not.
#include "../mistake.h"

__global__ void reduce(const float *in, float *out)
{
	__shared__ volatile float s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	if (t < 32) {
		float v = s[t];
		for (int d = 32; d > 0; d /= 2) {
			v += s[t + d]; // BUG: racecheck
#ifdef FIXED
			__syncwarp();
#endif
			s[t] = v;
#ifdef FIXED
			__syncwarp();
#endif
		}
	}
	if (t == 0) *out = s[0];
}

int main()
{
	float *in = device_array<float>(64), *out = device_zeros<float>(1);
	reduce<<<1, 64>>>(in, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
