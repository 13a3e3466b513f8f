// The flag is raised by a kernel that is launched before the one that writes the data.
#include "gpus.h"

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }
__global__ void raise(volatile int *flag)
{
	__threadfence_system();
	*flag = 1;
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
#ifdef FIXED
	fill<<<1, 64, 0, stream[0]>>>(data[0]);
	raise<<<1, 1, 0, stream[0]>>>(flag[1]);
#else
	raise<<<1, 1, 0, stream[0]>>>(flag[1]);
	fill<<<1, 64, 0, stream[0]>>>(data[0]);
#endif
	CHECK(cudaSetDevice(1));
	take<<<1, 64, 0, stream[1]>>>(data[1], data[0], flag[1]);
	const int status = gpus_end();
	gpus_free(data);
	gpus_free(flag);
	return status;
}
