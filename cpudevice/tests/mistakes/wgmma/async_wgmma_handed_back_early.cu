// A stage is handed back when its products have begun, not when they have finished.
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	__shared__ uint64_t full[2], empty[2];
	USE_ALL();
	if (threadIdx.x == 0) {
		for (int s = 0; s < 2; s++) {
			INIT(&full[s], 1);
			INIT(&empty[s], 1);
		}
		INIT_FENCE();
	}
	__syncthreads();
	if (threadIdx.x == 128) {
		for (int k = 0; k < STEPS; k++) {
			WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
			FETCH(stage + k % 2 * STAGE, k, &full[k % 2]); // BUG: racecheck
		}
	} else if (threadIdx.x < 128) {
		float sum[4] = {0, 0, 0, 0};
		for (int k = 0; k < STEPS; k++) {
			const char *at = stage + k % 2 * STAGE;
			WAIT(&full[k % 2], k / 2 % 2);
			WGMMA_FENCE();
			MULTIPLY_ALL(sum, descriptor(at), descriptor(at + A_BYTES));
			WGMMA_COMMIT();
#ifdef FIXED
			WGMMA_WAIT(0);
#endif
			if (threadIdx.x == 0)
				ARRIVE(&empty[k % 2]);
		}
		WGMMA_WAIT(0);
		put(c, sum);
	}
}

int main() { return multiply(products, 160); }
