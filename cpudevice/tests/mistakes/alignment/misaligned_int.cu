// An int read out of a packed byte stream.
#include "../mistake.h"

__global__ void unpack(const unsigned char *bytes, int *out, int n)
{
	int i = threadIdx.x;
	if (i >= n) return;
	const unsigned char *p = bytes + 5 * i + 1;
#ifdef FIXED
	out[i] = p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24;
#else
	out[i] = *(const int *)p; // BUG: memcheck
#endif
}

int main()
{
	unsigned char *b = device_array<unsigned char>(5 * 32);
	int *out = device_zeros<int>(32);
	unpack<<<1, 32>>>(b, out, 32);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(b));
	CHECK(cudaFree(out));
}
