// A thread reads its neighbour's local variable by its address, in a function.
#include "../mistake.h"

__device__ __noinline__ int fetch(int *const *from, int next)
{
	__syncthreads();
	return *from[next]; // BUG: memcheck
}

__global__ void shift(int *out)
{
	const int t = threadIdx.x, next = (t + 1) % blockDim.x;
	__shared__ int *where[64];
#ifdef FIXED
	__shared__ int numbers[64];
	int &mine = numbers[t];
#else
	int mine;
#endif
	mine = 3 * t;
	where[t] = &mine;
	out[t] = fetch(where, next) + mine;
}

int main()
{
	int *out = device_zeros<int>(64);
	shift<<<1, 64>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
