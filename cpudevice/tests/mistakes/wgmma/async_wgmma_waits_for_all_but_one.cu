// The wait leaves one group in flight: the one whose sums are read.
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	__shared__ uint64_t full;
	float sum[4] = {0, 0, 0, 0};
	USE_ALL();
	if (threadIdx.x == 0) {
		INIT(&full, 1);
		INIT_FENCE();
		FETCH(stage, 0, &full);
	}
	__syncthreads();
	WAIT(&full, 0);
	WGMMA_FENCE();
	for (int k = 0; k < 4; k++) {
		MULTIPLY(sum, next(descriptor(stage), k), next(descriptor(stage + A_BYTES), k));
		WGMMA_COMMIT();
	}
#ifdef FIXED
	WGMMA_WAIT(0);
#else
	WGMMA_WAIT(1);
#endif
	for (int i = 0; i < 4; i++)
		c[4 * threadIdx.x + i] = sum[i]; // BUG: racecheck
	WGMMA_WAIT(0);
}

int main() { return multiply(products, 128); }
