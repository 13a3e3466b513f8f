// Right: tiles brought in by the asynchronous pipeline, two stages deep.
#include "../mistake.h"

#include <cuda_pipeline.h>
__global__ void sums(const float *x, float *out, int n)
{
	__shared__ float s[2][64];
	int t = threadIdx.x;
	float sum = 0;
	__pipeline_memcpy_async(&s[0][t], &x[t], sizeof(float));
	__pipeline_commit();
	for (int k = 0; k < n; k += 64) {
		int stage = k / 64 % 2;
		if (k + 64 < n) __pipeline_memcpy_async(&s[stage ^ 1][t], &x[k + 64 + t], sizeof(float));
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += s[stage][63 - t];
		__syncthreads();
	}
	out[t] = sum;
}
int main()
{
	int n = 512;
	float *x = device_array<float>(n), *out = device_zeros<float>(64);
	sums<<<1, 64>>>(x, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(out));
}
