// A thread waits for a flag that is never set.
#include "../mistake.h"

__global__ void wait(volatile int *flag, int *out)
{
#ifdef FIXED
	if (threadIdx.x == 1) {
		__threadfence();
		*flag = 1;
	}
#endif
	if (threadIdx.x == 0) {
		while (*flag == 0) ; // BUG: synccheck
		*out = 1;
	}
}

int main()
{
	int *flag = device_zeros<int>(1), *out = device_zeros<int>(1);
	wait<<<1, 64>>>(flag, out);
	cudaDeviceSynchronize();
	cudaFree(flag);
	cudaFree(out);
}
