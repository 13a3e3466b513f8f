// The last block adds up the partial sums, but no fence published them.
#include "../mistake.h"

__device__ unsigned done;
__global__ void total(const int *x, int *partial, int *out)
{
	__shared__ bool last;
	if (threadIdx.x == 0) {
		int s = 0;
		for (int i = 0; i < 64; i++) s += x[blockIdx.x * 64 + i];
		partial[blockIdx.x] = s;
#ifdef FIXED
		__threadfence();
#endif
		last = atomicAdd(&done, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int v = 0;
		for (int b = 0; b < gridDim.x; b++) v += partial[b]; // BUG: racecheck
		*out = v;
	}
}

int main()
{
	int *x = device_array<int>(512), *partial = device_zeros<int>(8), *out = device_zeros<int>(1);
	total<<<8, 32>>>(x, partial, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(partial));
	CHECK(cudaFree(out));
}
