// The tiles begin 512 bytes into the pattern of their swizzle.
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	__shared__ uint64_t full;
	float sum[4] = {0, 0, 0, 0};
	USE_ALL();
#ifndef FIXED
	char *at = stage + 512;
#else
	char *at = stage;
#endif
	if (threadIdx.x == 0) {
		INIT(&full, 1);
		INIT_FENCE();
		FETCH(at, 0, &full);
	}
	__syncthreads();
	WAIT(&full, 0);
	WGMMA_FENCE();
	MULTIPLY(sum, descriptor(at), descriptor(at + A_BYTES)); // BUG: memcheck
	WGMMA_COMMIT();
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
