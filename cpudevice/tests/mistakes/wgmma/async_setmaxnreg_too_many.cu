// 168 registers per thread when the block begins: what one warpgroup gives up is not enough for the two that take.
// SAYS: more registers than 384 threads can begin with, 168 each
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	__shared__ uint64_t full;
	USE_ALL();
	if (threadIdx.x == 0) {
		INIT(&full, 1);
		INIT_FENCE();
	}
	__syncthreads();
	if (threadIdx.x < 128) {
#ifdef FIXED
		SETMAXNREG_DEC(24);
#else
		SETMAXNREG_DEC(32);
#endif
		if (threadIdx.x == 0)
			FETCH(stage, 0, &full);
	} else {
		SETMAXNREG_INC(240); // BUG: memcheck
		WAIT(&full, 0);
		if (threadIdx.x == 128)
			c[0] = 1;
	}
}

int main() { return multiply(products, 384); }
