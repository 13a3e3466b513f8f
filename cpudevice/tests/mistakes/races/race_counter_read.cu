// A counter is raised by an atomic and then read without one.
#include "../mistake.h"

__global__ void number(int *count, int *out)
{
#ifdef FIXED
	out[threadIdx.x] = atomicAdd(count, 1) + 1;
#else
	atomicAdd(count, 1);
	out[threadIdx.x] = *count; // BUG: racecheck
#endif
}

int main()
{
	int *count = device_zeros<int>(1), *out = device_zeros<int>(64);
	number<<<1, 64>>>(count, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(count));
	CHECK(cudaFree(out));
}
