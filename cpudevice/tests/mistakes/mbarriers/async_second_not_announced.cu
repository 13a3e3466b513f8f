// The bytes of the first of two copies are announced, but not those of the second.
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
#ifdef FIXED
		EXPECT(&bar, 2 * BYTES);
#else
		EXPECT(&bar, BYTES);
#endif
		LOAD(a, in, 0, &bar);
		LOAD(b, in, SIDE, &bar);
	}
	WAIT(&bar, 0);
	for (int i = threadIdx.x; i < TILE; i += 64)
		y[i] = a[i] + b[i]; // BUG: racecheck
}

int main() { return launch(pair, 64); }
