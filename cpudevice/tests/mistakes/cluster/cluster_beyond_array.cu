// The other block's array is read one element too far.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int mine[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	mine[threadIdx.x] = x[i];
	cluster.sync();
	const int *other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
#ifdef FIXED
	y[i] = other[(threadIdx.x + 1) % THREADS];
#else
	y[i] = other[threadIdx.x + 1]; // BUG: memcheck
#endif
	cluster.sync();
}

int main() { return run_pairs(pairs); }
