// The consumers begin with the parity of the phase before the first. The producer begins when they have all come, so that the
// first tile is read early in each order; had it landed before, they would wait for ever.
#include "../async.h"

__global__ void ring(MAPS)
{
	extern __shared__ __align__(128) float slot[][TILE];
	__shared__ uint64_t full[2], empty[2], come;
	USE();
	if (threadIdx.x == 0) {
		for (int s = 0; s < 2; s++) {
			INIT(&full[s], 1);
			INIT(&empty[s], 64);
		}
		INIT(&come, 64);
		INIT_FENCE();
	}
	__syncthreads();
	if (threadIdx.x == 64) {
		WAIT(&come, 0);
		for (int k = 0; k < TILES; k++) {
			WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
			EXPECT(&full[k % 2], BYTES);
			LOAD(slot[k % 2], in, k * SIDE, &full[k % 2]);
		}
	} else if (threadIdx.x < 64) {
		ARRIVE(&come);
		for (int k = 0; k < TILES; k++) {
#ifdef FIXED
			WAIT(&full[k % 2], k / 2 % 2);
#else
			WAIT(&full[k % 2], k / 2 % 2 ^ 1);
#endif
			for (int i = threadIdx.x; i < TILE; i += 64)
				y[k * TILE + i] = slot[k % 2][i] + 1; // BUG: initcheck
			ARRIVE(&empty[k % 2]);
		}
	}
}

int main() { return launch(ring, 96); }
