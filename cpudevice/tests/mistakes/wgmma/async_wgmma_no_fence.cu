// No wgmma.fence comes before the first product.
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
#ifdef FIXED
	WGMMA_FENCE();
#endif
	MULTIPLY(sum, descriptor(stage), descriptor(stage + A_BYTES)); // BUG: racecheck
	WGMMA_COMMIT();
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
