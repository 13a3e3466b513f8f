// Right: a warp works in shared memory between __syncwarp()s, also with half masks.
#include "../mistake.h"

__global__ void halves(int *x)
{
	__shared__ int s[64];
	int t = threadIdx.x, lane = t % 32, base = t - lane;
	s[t] = x[t];
	__syncwarp();
	for (int d = 16; d > 0; d /= 2) {
		int v = lane < d ? s[base + lane + d] : 0;
		__syncwarp();
		if (lane < d) s[t] += v;
		__syncwarp();
	}
	if (lane < 16) {
		s[t] = lane;
		__syncwarp(0x0000ffffu);
		x[t] = s[base + 15 - lane];
	} else {
		s[t] = -lane;
		__syncwarp(0xffff0000u);
		x[t] = s[base + 47 - lane];
	}
}
int main()
{
	int *x = device_array<int>(64);
	halves<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
