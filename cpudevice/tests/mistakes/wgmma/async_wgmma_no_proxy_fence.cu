// Threads write the tiles, with no fence.proxy.async between them and the products.
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	float sum[4] = {0, 0, 0, 0};
	bf16 *tile = (bf16 *)stage;
	USE_ALL();
	for (int i = threadIdx.x; i < A_TILE + B_TILE; i += 128)
		tile[i] = a[i]; // BUG: racecheck
#ifdef FIXED
	PROXY_FENCE();
#endif
	__syncthreads();
	WGMMA_FENCE();
	MULTIPLY_ALL(sum, descriptor(stage), descriptor(stage + A_BYTES));
	WGMMA_COMMIT();
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
