// Two arrays carved out of dynamic shared memory overlap.
#include "../mistake.h"

__global__ void carve(const int *x, int *out)
{
	extern __shared__ int arena[];
	int t = threadIdx.x, n = blockDim.x;
	int *a = arena;
#ifdef FIXED
	int *b = arena + n;
#else
	int *b = arena + n / 2;
#endif
	a[t] = x[t];
	b[t] = 2 * x[t]; // BUG: racecheck
	__syncthreads();
	out[t] = a[t] + b[t];
}

int main()
{
	int *x = device_array<int>(64), *out = device_zeros<int>(64);
	carve<<<1, 64, 2 * 64 * sizeof(int)>>>(x, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(out));
}
