// Only the first GPU's kernel is launched, and it waits for the second one's.
#include "gpus.h"

__global__ void meet(volatile int *theirs, volatile int *mine)
{
	__threadfence_system();
	*theirs = 1;
	while (!*mine) // BUG: synccheck
		;
	__threadfence_system();
}
int main()
{
	int *flag[2];
#ifdef FIXED
	const int launched = 2;
#else
	const int launched = 1;
	setenv("CUDA_CPU_WATCHDOG", "1", 1);
#endif
	gpus_begin();
	gpus_zeros(flag, 1);
	for (int i = 0; i < launched; i++) {
		CHECK(cudaSetDevice(i));
		meet<<<1, 1, 0, stream[i]>>>(flag[1 - i], flag[i]);
	}
	const int status = gpus_end();
	gpus_free(flag);
	return status;
}
