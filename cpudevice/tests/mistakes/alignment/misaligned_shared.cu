// Bytes and doubles share one dynamic array, without padding between them.
#include "../mistake.h"

__global__ void mixed(double *out)
{
	extern __shared__ unsigned char arena[];
	int t = threadIdx.x;
	unsigned char *flags = arena;
#ifdef FIXED
	double *values = (double *)(arena + 40);
#else
	double *values = (double *)(arena + 33);
#endif
	flags[t] = (unsigned char)t;
	values[t] = t; // BUG: memcheck
	__syncthreads();
	out[t] = values[31 - t] + flags[t];
}

int main()
{
	double *out = device_zeros<double>(32);
	mixed<<<1, 32, 40 + 32 * sizeof(double)>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
