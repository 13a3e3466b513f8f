// memcpy in a kernel copies 100 bytes of a row of 64.
#include "../mistake.h"

__global__ void row(char *out, const char *in)
{
#ifdef FIXED
	if (threadIdx.x == 0) memcpy(out, in, 64);
#else
	if (threadIdx.x == 0) memcpy(out, in, 100); // BUG: memcheck
#endif
}
int main()
{
	char *in = device_zeros<char>(128), *out = device_zeros<char>(64);
	row<<<1, 32>>>(out, in);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
