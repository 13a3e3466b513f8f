// The fence comes before the writes that it is meant for.
#include "../async.h"

__global__ void stores(MAPS)
{
	extern __shared__ __align__(128) float tile[];
	USE();
	for (int k = 0; k < TILES; k++) {
#ifdef FIXED
		for (int i = threadIdx.x; i < TILE; i += 64)
			tile[i] = x[k * TILE + i] + 1;
		PROXY_FENCE();
#else
		PROXY_FENCE();
		for (int i = threadIdx.x; i < TILE; i += 64)
			tile[i] = x[k * TILE + i] + 1;
#endif
		__syncthreads();
		if (threadIdx.x == 0) {
			STORE(out, k * SIDE, tile); // BUG: racecheck
			COMMIT();
			WAIT_READ(0);
		}
		__syncthreads();
	}
}

int main() { return launch(stores, 64); }
