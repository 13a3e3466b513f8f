// __builtin_memcpy() copies from past the end of an array.
#include "../mistake.h"

struct triple { float a[3]; };
__global__ void copies(const triple *x, triple *y, int n)
{
	int i = threadIdx.x;
#ifdef FIXED
	if (i < n)
#endif
		__builtin_memcpy(y + i, x + i, sizeof *x); // BUG: memcheck
}

int main()
{
	int n = 100;
	triple *x = device_zeros<triple>(n), *y = device_zeros<triple>(128);
	copies<<<1, 128>>>(x, y, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
