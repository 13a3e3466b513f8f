// A block ends while the other still reads its shared memory.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int mine[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	mine[threadIdx.x] = x[i];
	cluster.sync();
	const int *other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
	y[i] = other[threadIdx.x]; // BUG: memcheck
#ifdef FIXED
	cluster.sync();
#endif
}

int main() { return run_pairs(pairs); }
