// A bulk copy is read after a barrier alone.
#include "../async.h"

__global__ void bulk(MAPS)
{
	extern __shared__ __align__(128) float tile[];
	__shared__ uint64_t bar;
	USE();
	if (threadIdx.x == 0) {
		INIT(&bar, 1);
		INIT_FENCE();
		EXPECT(&bar, BYTES);
		BULK_LOAD(tile, x, BYTES, &bar);
	}
	__syncthreads();
#ifdef FIXED
	WAIT(&bar, 0);
#endif
	for (int i = threadIdx.x; i < TILE; i += 64)
		tile[i] *= 2; // BUG: racecheck
	PROXY_FENCE();
	__syncthreads();
	if (threadIdx.x == 0) {
		BULK_STORE(y, tile, BYTES);
		COMMIT();
		WAIT_READ(0);
	}
}

int main() { return launch(bulk, 64); }
