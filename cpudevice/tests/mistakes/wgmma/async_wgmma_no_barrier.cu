// Each thread fences what it has written, but no barrier makes it wait for the other warps.
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	float sum[4] = {0, 0, 0, 0};
	bf16 *tile = (bf16 *)stage;
	USE_ALL();
	for (int i = threadIdx.x; i < A_TILE + B_TILE; i += 128)
		tile[i] = a[i];
	PROXY_FENCE();
#ifdef FIXED
	__syncthreads();
#endif
	WGMMA_FENCE();
	MULTIPLY(sum, descriptor(stage), descriptor(stage + A_BYTES)); // BUG: racecheck
	WGMMA_COMMIT();
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
