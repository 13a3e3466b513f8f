// The sums are cleared after the fence that should have shown them to the products.
#include "../wgmma.h"

__global__ void products(OPERANDS)
{
	extern __shared__ __align__(1024) char stage[];
	__shared__ uint64_t full;
	float sum[4];
	USE_ALL();
	if (threadIdx.x == 0) {
		INIT(&full, 1);
		INIT_FENCE();
		FETCH(stage, 0, &full);
	}
	__syncthreads();
	WAIT(&full, 0);
#ifdef FIXED
	for (int i = 0; i < 4; i++)
		sum[i] = 0;
	WGMMA_FENCE();
#else
	WGMMA_FENCE();
	for (int i = 0; i < 4; i++)
		sum[i] = 0; // BUG: racecheck
#endif
	MULTIPLY_ALL(sum, descriptor(stage), descriptor(stage + A_BYTES));
	WGMMA_COMMIT();
	WGMMA_WAIT(0);
	put(c, sum);
}

int main() { return multiply(products, 128); }
