// A volatile flag in the other block's shared memory, and no fence between it and what it announces.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int theirs[THREADS], flag[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	flag[threadIdx.x] = 0;
	cluster.sync();
	cluster.map_shared_rank(theirs, rank ^ 1)[threadIdx.x] = x[i];
#ifdef FIXED
	__threadfence();
#endif
	*(volatile int *)&cluster.map_shared_rank(flag, rank ^ 1)[threadIdx.x] = 1;
	while (!*(volatile int *)&flag[threadIdx.x])
		;
#ifdef FIXED
	__threadfence();
#endif
	y[i] = theirs[threadIdx.x]; // BUG: racecheck
	cluster.sync();
}

int main() { return run_pairs(pairs); }
