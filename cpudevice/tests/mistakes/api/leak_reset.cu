// cudaDeviceReset() cleans up what was never freed.
#include "../mistake.h"

int main()
{
	float *x;
	CHECK(cudaMalloc(&x, 400)); // BUG: memcheck
#ifdef FIXED
	CHECK(cudaFree(x));
#endif
	CHECK(cudaDeviceReset());
}
