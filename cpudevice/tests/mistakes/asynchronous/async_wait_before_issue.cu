// The thread that should issue the copy waits for it first.
#include "../async.h"

__global__ void single(MAPS)
{
	extern __shared__ __align__(128) float tile[];
	__shared__ uint64_t bar;
	USE();
	if (threadIdx.x == 0) {
		INIT(&bar, 1);
		INIT_FENCE();
	}
	__syncthreads();
	for (int k = 0; k < TILES; k++) {
#ifdef FIXED
		if (threadIdx.x == 0) {
			EXPECT(&bar, BYTES);
			LOAD(tile, in, k * SIDE, &bar);
		}
		WAIT(&bar, k % 2);
#else
		WAIT(&bar, k % 2); // BUG: synccheck
		if (threadIdx.x == 0) {
			EXPECT(&bar, BYTES);
			LOAD(tile, in, k * SIDE, &bar);
		}
#endif
		for (int i = threadIdx.x; i < TILE; i += 64)
			y[k * TILE + i] = tile[i] + 1;
		__syncthreads();
	}
}

int main() { return launch(single, 64); }
