// A thread's local array is passed to a function that goes one element too far.
#include "../mistake.h"

__device__ void sort(int *v, int n)
{
	for (int i = 0; i < n; i++)
#ifdef FIXED
		for (int k = 0; k + 1 < n - i; k++)
#else
		for (int k = 0; k < n - i; k++)
#endif
			if (v[k] > v[k + 1]) { // BUG: memcheck
				int t = v[k];
				v[k] = v[k + 1];
				v[k + 1] = t;
			}
}
__global__ void median(const int *in, int *out, int n)
{
	int v[9], i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i + 9 > n) return;
	for (int k = 0; k < 9; k++) v[k] = in[i + k];
	sort(v, 9);
	out[i] = v[4];
}

int main()
{
	int n = 256;
	int *in = device_array<int>(n), *out = device_zeros<int>(n);
	median<<<2, 128>>>(in, out, n);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
}
