// Every block scales by the first element, and the block that owns it overwrites it.
#include "../mistake.h"

__global__ void normalise(float *x, float *y)
{
	float first = x[0] + 1;
	int i = blockIdx.x;
#ifdef FIXED
	y[i] = x[i] / first;
#else
	x[i] = x[i] / first; // BUG: racecheck
#endif
}

int main()
{
	float *x = device_array<float>(8), *y = device_zeros<float>(8);
	normalise<<<8, 1>>>(x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
