// An index past the end of one shared array lands in the next.
#include "../mistake.h"

__global__ void two(int *out)
{
	__shared__ int a[32];
	__shared__ int b[32];
	int t = threadIdx.x;
	a[t] = t;
	b[t] = -t;
	__syncthreads();
#ifdef FIXED
	a[t] += b[(t + 1) % 32];
#else
	a[t + 1] += b[t]; // BUG: memcheck
#endif
	__syncthreads();
	out[t] = a[t] + b[t];
}

int main()
{
	int *out = device_zeros<int>(32);
	two<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
