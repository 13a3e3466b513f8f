// Each block waits for values of the other, which fills only the first half.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int theirs[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	int *other = cluster.map_shared_rank(theirs, cluster.block_rank() ^ 1);
	cluster.sync();
#ifndef FIXED
	if (threadIdx.x < THREADS / 2)
#endif
		other[threadIdx.x] = x[i];
	cluster.sync();
	y[i] = theirs[threadIdx.x]; // BUG: initcheck
}

int main() { return run_pairs(pairs); }
