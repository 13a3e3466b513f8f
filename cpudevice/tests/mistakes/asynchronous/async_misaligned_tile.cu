// The second tile is not a multiple of 128 bytes from the first.
#include "../async.h"

__global__ void pair(MAPS)
{
	extern __shared__ __align__(128) float a[];
	__shared__ uint64_t bar;
#ifdef FIXED
	float *b = a + TILE;
#else
	float *b = a + TILE + 8;
#endif
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
	WAIT(&bar, 0);
	for (int i = threadIdx.x; i < TILE; i += 64)
		y[i] = a[i] + b[i];
}

int main() { return launch(pair, 64); }
