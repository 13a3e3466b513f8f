// Threads write the next tile while the products still read this one.
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	float sum[4] = {0, 0, 0, 0};
	bf16 *tile = (bf16 *)stage;
	USE_ALL();
	for (int k = 0; k < STEPS; k++) {
		for (int i = threadIdx.x; i < A_TILE + B_TILE; i += 128)
			tile[i] = a[k * A_TILE + i % A_TILE]; // BUG: racecheck
		PROXY_FENCE();
		__syncthreads();
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
