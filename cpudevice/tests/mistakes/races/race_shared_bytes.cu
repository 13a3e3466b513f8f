// Bytes of one word, written and read by different threads.
#include "../mistake.h"

__global__ void rotate(unsigned char *x)
{
	__shared__ unsigned char s[64];
	int t = threadIdx.x;
	s[t] = x[t];
#ifdef FIXED
	__syncthreads();
#endif
	x[t] = s[(t + 1) % 64]; // BUG: racecheck
}

int main()
{
	unsigned char *x = device_array<unsigned char>(64);
	rotate<<<1, 64>>>(x);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
}
