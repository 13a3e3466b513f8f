// One bulk copy brings an array that lies on eight pages, to its last byte, and one takes it back.
#include "../async.h"

__global__ void whole(MAPS)
{
	extern __shared__ __align__(128) float tiles[];
	__shared__ uint64_t bar;
	USE();
	if (threadIdx.x == 0) {
		INIT(&bar, 1);
		INIT_FENCE();
		EXPECT(&bar, TILES * BYTES);
		BULK_LOAD(tiles, x, TILES * BYTES, &bar);
	}
	__syncthreads();
	WAIT(&bar, 0);
	for (int i = threadIdx.x; i < TILES * TILE; i += 64)
		tiles[i] *= 2;
	PROXY_FENCE();
	__syncthreads();
	if (threadIdx.x == 0) {
		BULK_STORE(y, tiles, TILES * BYTES);
		COMMIT();
		WAIT_READ(0);
	}
}

int main() { return launch(whole, 64, TILES * BYTES); }
