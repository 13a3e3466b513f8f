// GPU 0 changes its vector in the next kernel, while GPU 1 may still read it: the two meet before, and not after.
// ENV: CUDA_CPU_WORKERS=1
#include "gpus.h"

__device__ void meet(volatile int *theirs, volatile int *mine, int when)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence_system();
		theirs[blockIdx.x] = when;
		while (mine[blockIdx.x] < when)
			;
		__threadfence_system();
	}
	__syncthreads();
}
__global__ void sum(int *out, const int *a, const int *b, int *theirs, int *mine)
{
	meet(theirs, mine, 1);
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = a[i] + b[i];
#ifdef FIXED
	meet(theirs, mine, 2);
#endif
}
__global__ void next(int *x) { x[threadIdx.x] = 2 * x[threadIdx.x] + 1; } // BUG: racecheck
int main()
{
	int *x[2], *out[2], *flag[2];
	gpus_begin();
	gpus_zeros(x, 64);
	gpus_zeros(out, 64);
	gpus_zeros(flag, 2);
	for (int i = 0; i < 2; i++) {
		CHECK(cudaSetDevice(i));
		sum<<<2, 32, 0, stream[i]>>>(out[i], x[0], x[1], flag[1 - i], flag[i]);
		if (i == 0)
			next<<<1, 64, 0, stream[0]>>>(x[0]);
	}
	const int status = gpus_end();
	gpus_free(x);
	gpus_free(out);
	gpus_free(flag);
	return status;
}
