// The second half of the other block's array is read, but only the first was filled.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int mine[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const int i = blockIdx.x * THREADS + threadIdx.x;
#ifndef FIXED
	if (threadIdx.x < THREADS / 2)
#endif
		mine[threadIdx.x] = x[i];
	cluster.sync();
	const int *other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
	y[i] = other[threadIdx.x]; // BUG: initcheck
	cluster.sync();
}

int main() { return run_pairs(pairs); }
