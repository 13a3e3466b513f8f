// Each warp gives the descriptor of its own rows of A, but the warpgroup needs one for all.
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
#ifdef FIXED
	const char *rows = stage;
#else
	const char *rows = stage + threadIdx.x / 32 * 16 * ROW * 2;
#endif
	MULTIPLY(sum, descriptor(rows), descriptor(stage + A_BYTES)); // BUG: memcheck
	WGMMA_COMMIT();
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
