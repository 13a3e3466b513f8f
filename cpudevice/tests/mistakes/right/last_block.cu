// Right: the last block to finish adds up what the others published.
#include "../mistake.h"

__device__ unsigned done;
__global__ void total(const int *x, int *partial, int *out)
{
	__shared__ int s[64];
	__shared__ bool last;
	int t = threadIdx.x;
	s[t] = x[blockIdx.x * 64 + t];
	__syncthreads();
	for (int d = 32; d > 0; d /= 2) {
		if (t < d) s[t] += s[t + d];
		__syncthreads();
	}
	if (t == 0) {
		partial[blockIdx.x] = s[0];
		__threadfence();
		last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		s[t] = t < gridDim.x ? partial[t] : 0;
		__syncthreads();
		for (int d = 32; d > 0; d /= 2) {
			if (t < d) s[t] += s[t + d];
			__syncthreads();
		}
		if (t == 0) *out = s[0];
	}
}
int main()
{
	int *x = device_array<int>(64 * 32), *p, *out = device_zeros<int>(1), h;
	CHECK(cudaMalloc(&p, 32 * sizeof *p));
	total<<<32, 64>>>(x, p, out);
	CHECK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(x));
	CHECK(cudaFree(p));
	CHECK(cudaFree(out));
	return h == 0;
}
