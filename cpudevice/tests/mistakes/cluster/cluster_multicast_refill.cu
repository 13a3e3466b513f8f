// The producer waits until its own block has read the slot, but sends the next copy to the other block as well.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ __align__(128) int slot[THREADS];
	__shared__ uint64_t full, empty;
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	if (threadIdx.x == 0) {
		INIT(&full, 1);
#ifdef FIXED
		INIT(&empty, 2 * (int)THREADS);
#else
		INIT(&empty, (int)THREADS);
#endif
		INIT_FENCE();
	}
	cluster.sync();
	for (int k = 0; k < 4; k++) {
		if (threadIdx.x == 0)
			EXPECT(&full, (uint32_t)sizeof slot);
		if (rank == 0 && threadIdx.x == 0) {
			WAIT_CLUSTER(&empty, k % 2 ^ 1);
			MULTICAST(slot, x + k * THREADS, (uint32_t)sizeof slot, &full, 3); // BUG: racecheck
		}
		WAIT_CLUSTER(&full, k % 2);
		y[i] += slot[threadIdx.x];
		__syncthreads();
#ifdef FIXED
		ARRIVE_AT(&empty, 0);
#else
		if (rank == 0)
			ARRIVE(&empty);
#endif
	}
	cluster.sync();
}

int main() { return run_pairs(pairs); }
