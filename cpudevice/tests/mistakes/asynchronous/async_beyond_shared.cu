// The second tile does not fit into the dynamic shared memory.
#include "../async.h"

__global__ void pair(MAPS)
{
	extern __shared__ __align__(128) float a[];
	__shared__ uint64_t bar;
	float *b = a + TILE;
	USE();
	if (threadIdx.x == 0) {
		INIT(&bar, 1);
		INIT_FENCE();
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		EXPECT(&bar, 2 * BYTES);
		LOAD(a, in, 0, &bar);
		LOAD(b, in, SIDE, &bar); // BUG: memcheck
	}
#ifdef FIXED
	WAIT(&bar, 0);
#else
	WAIT(&bar, 0);
#endif
	for (int i = threadIdx.x; i < TILE; i += 64)
		y[i] = a[i] + b[i];
}

int main()
{
#ifdef FIXED
	return launch(pair, 64, 2 * BYTES);
#else
	return launch(pair, 64, BYTES);
#endif
}
