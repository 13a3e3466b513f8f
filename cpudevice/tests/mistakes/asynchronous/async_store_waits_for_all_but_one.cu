// The wait leaves one group in flight, and there is only one tile.
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
#else
			WAIT_READ(1);
#endif
		}
		__syncthreads();
	}
}

int main() { return launch(stores, 64); }
