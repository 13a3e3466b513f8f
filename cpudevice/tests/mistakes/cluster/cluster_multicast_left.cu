// The second block ends without having waited for the copy that the first sends to both.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ __align__(128) int slot[THREADS];
	__shared__ uint64_t full;
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	if (threadIdx.x == 0) {
		INIT(&full, 1);
		INIT_FENCE();
		EXPECT(&full, (uint32_t)sizeof slot);
	}
	cluster.sync();
	if (rank == 0 && threadIdx.x == 0)
		MULTICAST(slot, x, (uint32_t)sizeof slot, &full, 3); // BUG: memcheck
#ifndef FIXED
	if (rank == 0)
#endif
		WAIT(&full, 0);
	if (rank == 0)
		y[blockIdx.x * THREADS + threadIdx.x] = slot[threadIdx.x];
}

int main() { return run_pairs(pairs); }
