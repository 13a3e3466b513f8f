// The sums are scaled while a product that adds to them is in flight.
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
#ifdef FIXED
		WGMMA_WAIT(0);
#endif
		for (int i = 0; i < 4; i++)
			sum[i] *= 0.5f; // BUG: racecheck
		WGMMA_FENCE();
	}
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
