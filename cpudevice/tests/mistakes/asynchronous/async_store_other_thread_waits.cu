// A thread waits for its own groups, and this one has issued none.
#include "../async.h"

__global__ void stores(MAPS)
{
	extern __shared__ __align__(128) float tile[];
	USE();
	for (int k = 0; k < TILES; k++) {
		for (int i = threadIdx.x; i < TILE; i += 64)
			tile[i] = x[k * TILE + i] + 1; // BUG: racecheck
		PROXY_FENCE();
		__syncthreads();
		if (threadIdx.x == 0) {
			STORE(out, k * SIDE, tile);
			COMMIT();
#ifdef FIXED
			WAIT_READ(0);
		}
#else
			}
			if (threadIdx.x == 32)
				WAIT_READ(0);
#endif
		__syncthreads();
	}
}

int main() { return launch(stores, 64); }
