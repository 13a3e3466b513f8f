// Threads of one block pass values through global memory without a barrier.
#include "../mistake.h"

__global__ void pass(int *buffer, int *out)
{
	int t = threadIdx.x;
	buffer[t] = t * t;
#ifdef FIXED
	__syncthreads();
#endif
	out[t] = buffer[(t + 7) % 64]; // BUG: racecheck
}

int main()
{
	int *buffer = device_zeros<int>(64), *out = device_zeros<int>(64);
	pass<<<1, 64>>>(buffer, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(buffer));
	CHECK(cudaFree(out));
}
