// Right: two warps hand buffers over with cuda::barrier.
#include "../mistake.h"

#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void pass(const int *in, int *out, int n)
{
	__shared__ int buffer[2][32];
	__shared__ barrier ready[2], filled[2];
	int t = threadIdx.x;
	if (t < 2) {
		init(&ready[t], 64);
		init(&filled[t], 64);
	}
	__syncthreads();
	if (t < 32) {
		for (int i = 0; i < n; i++) {
			ready[i % 2].arrive_and_wait();
			buffer[i % 2][t] = in[i * 32 + t];
			(void)filled[i % 2].arrive();
		}
	} else {
		(void)ready[0].arrive();
		(void)ready[1].arrive();
		int sum = 0;
		for (int i = 0; i < n; i++) {
			filled[i % 2].arrive_and_wait();
			sum += buffer[i % 2][63 - t];
			(void)ready[i % 2].arrive();
		}
		out[t - 32] = sum;
	}
}
int main()
{
	int n = 8, *in = device_array<int>(32 * n), *out = device_zeros<int>(32);
	pass<<<1, 64>>>(in, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
