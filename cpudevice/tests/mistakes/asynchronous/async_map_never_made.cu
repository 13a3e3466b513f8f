// The driver refused the tensor map, and nobody checks the error: the array does not begin at a multiple of 16 bytes.
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
			LOAD(tile, in, k * SIDE, &bar); // BUG: memcheck
		}
		WAIT(&bar, k % 2);
		for (int i = threadIdx.x; i < TILE; i += 64)
			y[k * TILE + i] = tile[i] + 1;
		__syncthreads();
	}
}

int main()
{
	float *x = device_array<float>(TILES * TILE), *y = device_array<float>(TILES * TILE);
#ifdef FIXED
	const CUtensorMap in = map_of(x, TILES * SIDE), out = map_of(y, TILES * SIDE);
#else
	const CUtensorMap in = map_of(x + 1, TILES * SIDE), out = map_of(y, TILES * SIDE);
#endif
	single<<<1, 64, BYTES>>>(in, out, x, y);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
}
