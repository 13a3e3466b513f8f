// The next copy overwrites elements that other threads still read.
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
		if (threadIdx.x == 0) {
			EXPECT(&bar, BYTES);
			LOAD(tile, in, k * SIDE, &bar); // BUG: racecheck
		}
		WAIT(&bar, k % 2);
		for (int i = threadIdx.x; i < TILE; i += 64)
			y[k * TILE + i] = tile[i] + 1;
#ifdef FIXED
		__syncthreads();
	}
}
#else
			}
		}
#endif

int main() { return launch(single, 64); }
