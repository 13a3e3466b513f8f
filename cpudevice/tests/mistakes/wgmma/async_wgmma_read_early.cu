// The sums are read before any thread has waited for the products.
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
	MULTIPLY_ALL(sum, descriptor(stage), descriptor(stage + A_BYTES));
	WGMMA_COMMIT();
#ifdef FIXED
	WGMMA_WAIT(0);
#endif
	for (int i = 0; i < 4; i++)
		c[4 * threadIdx.x + i] = sum[i]; // BUG: racecheck
	WGMMA_WAIT(0);
}

int main() { return multiply(products, 128); }
