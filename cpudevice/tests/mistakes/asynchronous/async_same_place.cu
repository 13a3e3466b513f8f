// Two copies are fetched to one place.
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
#ifdef FIXED
		LOAD(b, in, SIDE, &bar);
#else
		LOAD(a, in, SIDE, &bar); // BUG: racecheck
#endif
	}
	WAIT(&bar, 0);
	for (int i = threadIdx.x; i < TILE; i += 64)
		y[i] = a[i] + b[i];
}

int main() { return launch(pair, 64); }
