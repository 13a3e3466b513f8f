// The last, ragged block leaves elements of its tile unset.
#include "../mistake.h"

__global__ void block_max(const int *x, int *out, int n)
{
	__shared__ int s[64];
	int t = threadIdx.x, i = blockIdx.x * 64 + t;
#ifdef FIXED
	s[t] = i < n ? x[i] : 0;
#else
	if (i < n) s[t] = x[i];
#endif
	__syncthreads();
	if (t == 0) {
		int m = 0;
		for (int k = 0; k < 64; k++) m = max(m, s[k]); // BUG: initcheck
		out[blockIdx.x] = m;
	}
}

int main()
{
	int n = 100, *x = device_array<int>(n), *out = device_zeros<int>(2);
	block_max<<<2, 64>>>(x, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(out));
}
