// Both blocks of a cluster count with atomics whose scope is the block.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int count;
	cg::cluster_group cluster = cg::this_cluster();
	int *first = cluster.map_shared_rank(&count, 0);
	if (threadIdx.x == 0)
		count = 0;
	cluster.sync();
	if (x[blockIdx.x * THREADS + threadIdx.x] % 2)
#ifdef FIXED
		atomicAdd(first, 1);
#else
		atomicAdd_block(first, 1); // BUG: racecheck
#endif
	cluster.sync();
	if (cluster.block_rank() == 0 && threadIdx.x == 0)
		y[blockIdx.x * THREADS] = count;
}

int main() { return run_pairs(pairs); }
