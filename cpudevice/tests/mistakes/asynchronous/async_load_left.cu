// The block ends before a copy that no thread waits for.
#include "../async.h"

__global__ void pair(MAPS)
{
	extern __shared__ __align__(128) float a[];
#ifdef FIXED
	__shared__ uint64_t bar;
#else
	__shared__ uint64_t bar, other;
#endif
	float *b = a + TILE;
	USE();
	if (threadIdx.x == 0) {
#ifdef FIXED
		INIT(&bar, 1);
#else
		INIT(&bar, 1);
		INIT(&other, 1);
#endif
		INIT_FENCE();
	}
	__syncthreads();
	if (threadIdx.x == 0) {
#ifdef FIXED
		EXPECT(&bar, 2 * BYTES);
#else
		EXPECT(&bar, BYTES);
		EXPECT(&other, BYTES);
#endif
		LOAD(a, in, 0, &bar);
#ifdef FIXED
		LOAD(b, in, SIDE, &bar);
#else
		LOAD(b, in, SIDE, &other); // BUG: racecheck
#endif
	}
	WAIT(&bar, 0);
	for (int i = threadIdx.x; i < TILE; i += 64)
#ifdef FIXED
		y[i] = a[i] + b[i];
#else
		y[i] = a[i];
#endif
}

int main() { return launch(pair, 64); }
