// A shared histogram without atomics.
#include "../mistake.h"

__global__ void histogram(const unsigned char *in, int *out)
{
	__shared__ int bins[100];
	int t = threadIdx.x;
	if (t < 100) bins[t] = 0;
	__syncthreads();
#ifdef FIXED
	atomicAdd(&bins[in[t]], 1);
#else
	bins[in[t]]++; // BUG: racecheck
#endif
	__syncthreads();
	if (t < 100) out[t] = bins[t];
}

int main()
{
	unsigned char *in = device_array<unsigned char>(256);
	int *out = device_zeros<int>(100);
	histogram<<<1, 256>>>(in, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
