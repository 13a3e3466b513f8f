// A tree reduction without a barrier between its steps.
#include "../mistake.h"
// SAYS: usual cause: a __syncthreads() is missing

__global__ void sum(const float *x, float *total)
{
	__shared__ float s[128];
	int t = threadIdx.x;
	s[t] = x[t];
	__syncthreads();
	for (int d = 64; d > 0; d /= 2) {
		if (t < d) s[t] += s[t + d]; // BUG: racecheck
#ifdef FIXED
		__syncthreads();
#endif
	}
	if (t == 0) *total = s[0];
}

int main()
{
	float *x = device_array<float>(128), *total = device_zeros<float>(1);
	sum<<<1, 128>>>(x, total);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(total));
}
