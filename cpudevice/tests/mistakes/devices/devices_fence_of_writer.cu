// A flag is for another GPU, but the fence before it covers the writer's own GPU only.
#include "gpus.h"

__global__ void give(int *data, volatile int *flag)
{
	data[threadIdx.x] = threadIdx.x + 1;
	__syncthreads();
	if (threadIdx.x == 0) {
#ifdef FIXED
		__threadfence_system();
#else
		__threadfence();
#endif
		*flag = 1;
	}
}
__global__ void take(int *y, const int *data, volatile int *flag)
{
	if (threadIdx.x == 0) {
		while (!*flag)
			;
		__threadfence_system();
	}
	__syncthreads();
	y[threadIdx.x] = data[threadIdx.x]; // BUG: racecheck
}
int main()
{
	int *data[2], *flag[2];
	gpus_begin();
	gpus_zeros(data, 64);
	gpus_zeros(flag, 1);
	CHECK(cudaSetDevice(0));
	give<<<1, 64, 0, stream[0]>>>(data[0], flag[1]);
	CHECK(cudaSetDevice(1));
	take<<<1, 64, 0, stream[1]>>>(data[1], data[0], flag[1]);
	const int status = gpus_end();
	gpus_free(data);
	gpus_free(flag);
	return status;
}
