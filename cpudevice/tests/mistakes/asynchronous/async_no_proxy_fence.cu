// A copy reads what threads wrote, with no fence.proxy.async in between.
#include "../async.h"

__global__ void stores(MAPS)
{
	extern __shared__ __align__(128) float tile[];
	USE();
	for (int k = 0; k < TILES; k++) {
		for (int i = threadIdx.x; i < TILE; i += 64)
			tile[i] = x[k * TILE + i] + 1; // BUG: racecheck
#ifdef FIXED
		PROXY_FENCE();
#endif
		__syncthreads();
		if (threadIdx.x == 0) {
			STORE(out, k * SIDE, tile);
			COMMIT();
			WAIT_READ(0);
		}
		__syncthreads();
	}
}

int main() { return launch(stores, 64); }
