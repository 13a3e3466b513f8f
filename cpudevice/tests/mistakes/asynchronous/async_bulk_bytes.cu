// The size of a bulk copy is not a multiple of 16.
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
#ifdef FIXED
		BULK_LOAD(tile, x, BYTES, &bar);
#else
		BULK_LOAD(tile, x, BYTES - 4, &bar); // BUG: memcheck
#endif
	}
	__syncthreads();
	WAIT(&bar, 0);
	for (int i = threadIdx.x; i < TILE; i += 64)
		tile[i] *= 2;
	PROXY_FENCE();
	__syncthreads();
	if (threadIdx.x == 0) {
		BULK_STORE(y, tile, BYTES);
		COMMIT();
		WAIT_READ(0);
	}
}

int main() { return launch(bulk, 64); }
