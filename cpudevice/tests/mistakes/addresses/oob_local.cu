// A local array, one element short.
#include "../mistake.h"

__global__ void window(const int *in, int *out, int n)
{
#ifdef FIXED
	int w[5];
#else
	int w[4];
#endif
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i + 4 >= n) return;
	for (int k = 0; k < 5; k++) w[k] = in[i + k]; // BUG: memcheck
	int best = w[0];
	for (int k = 1; k < 4; k++) best = max(best, w[(k * in[i]) % 4]);
	out[i] = best;
}

int main()
{
	int n = 256;
	int *in = device_array<int>(n), *out = device_zeros<int>(n);
	window<<<2, 128>>>(in, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
