// The next tiles are fetched while a product still reads these: the wait comes too late.
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
	}
	__syncthreads();
	for (int k = 0; k < STEPS; k++) {
		if (threadIdx.x == 0)
			FETCH(stage, k, &full); // BUG: racecheck
		WAIT(&full, k % 2);
		WGMMA_FENCE();
		MULTIPLY_ALL(sum, descriptor(stage), descriptor(stage + A_BYTES));
		WGMMA_COMMIT();
#ifdef FIXED
		WGMMA_WAIT(0);
#endif
		__syncthreads();
	}
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
