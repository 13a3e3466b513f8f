// Blocks of a cluster that hand values on: by the cluster's barrier, and by an mbarrier at which the other block arrives.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int mine[THREADS], theirs[THREADS];
	__shared__ uint64_t come;
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	if (threadIdx.x == 0) {
		INIT(&come, (int)THREADS);
		INIT_FENCE();
	}
	mine[threadIdx.x] = x[i];
	cluster.sync();
	const int seen = cluster.map_shared_rank(mine, rank ^ 1)[THREADS - 1 - threadIdx.x];
	cluster.map_shared_rank(theirs, rank ^ 1)[threadIdx.x] = seen;
	ARRIVE_AT(&come, rank ^ 1);
	WAIT_CLUSTER(&come, 0);
	y[i] = theirs[threadIdx.x];
	cluster.sync();
}

int main() { return run_pairs(pairs); }
