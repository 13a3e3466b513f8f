// The other block's values are read after a barrier of this block alone.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int mine[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	cluster.sync();
	mine[threadIdx.x] = x[i]; // BUG: racecheck
#ifdef FIXED
	cluster.sync();
#else
	__syncthreads();
#endif
	const int *first = cluster.map_shared_rank(mine, 0);
	y[i] = first[threadIdx.x];
	cluster.sync();
}

int main() { return run_pairs(pairs); }
