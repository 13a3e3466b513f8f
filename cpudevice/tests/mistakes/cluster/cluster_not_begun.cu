// A block writes to another's shared memory, which may not have begun yet.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int theirs[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	int *other = cluster.map_shared_rank(theirs, cluster.block_rank() ^ 1);
#ifdef FIXED
	cluster.sync();
#endif
	other[threadIdx.x] = x[i]; // BUG: memcheck
	cluster.sync();
	y[i] = theirs[threadIdx.x];
}

int main() { return run_pairs(pairs); }
