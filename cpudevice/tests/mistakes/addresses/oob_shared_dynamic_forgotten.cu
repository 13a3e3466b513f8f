// Dynamic shared memory that the launch does not ask for.
#include "../mistake.h"

__global__ void total(const int *x, int *sum)
{
	extern __shared__ int s[];
	int t = threadIdx.x;
	s[t] = x[t]; // BUG: memcheck
	__syncthreads();
	if (t == 0) {
		int v = 0;
		for (unsigned i = 0; i < blockDim.x; i++) v += s[i];
		*sum = v;
	}
}

int main()
{
	int *x = device_array<int>(64), *sum = device_zeros<int>(1);
#ifdef FIXED
	total<<<1, 64, 64 * sizeof(int)>>>(x, sum);
#else
	total<<<1, 64>>>(x, sum);
#endif
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(sum));
}
