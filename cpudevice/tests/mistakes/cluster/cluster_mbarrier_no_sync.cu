// Threads arrive at an mbarrier of the other block, but wait only for their own block's initialisation.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ uint64_t come;
	cg::cluster_group cluster = cg::this_cluster();
	cluster.sync();
	if (threadIdx.x == 0) {
		INIT(&come, (int)THREADS);
		INIT_FENCE();
	}
#ifdef FIXED
	cluster.sync();
#else
	__syncthreads();
#endif
	ARRIVE_AT(&come, cluster.block_rank() ^ 1); // BUG: synccheck
	WAIT_CLUSTER(&come, 0);
	y[blockIdx.x * THREADS + threadIdx.x] = x[threadIdx.x];
	cluster.sync();
}

int main() { return run_pairs(pairs); }
