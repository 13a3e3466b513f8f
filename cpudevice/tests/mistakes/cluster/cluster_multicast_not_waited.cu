// The second block reads the slot that the first has filled for both, without waiting for its bytes.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ __align__(128) int slot[THREADS];
	__shared__ uint64_t full;
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	if (threadIdx.x == 0) {
		INIT(&full, 1);
		INIT_FENCE();
		EXPECT(&full, (uint32_t)sizeof slot);
	}
	cluster.sync();
	if (rank == 0 && threadIdx.x == 0)
		MULTICAST(slot, x, (uint32_t)sizeof slot, &full, 3);
#ifdef FIXED
	WAIT(&full, 0);
#else
	if (rank == 0)
		WAIT(&full, 0);
	cluster.sync();
#endif
	y[i] = slot[threadIdx.x]; // BUG: racecheck
	__syncthreads();
	if (rank == 1 && threadIdx.x == 0)
		WAIT(&full, 0);
	cluster.sync();
}

int main() { return run_pairs(pairs); }
