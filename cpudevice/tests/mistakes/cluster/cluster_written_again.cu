// A block writes its next values while the other still reads these.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int mine[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	const int *other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
	for (int k = 0; k < 3; k++) {
		mine[threadIdx.x] = x[i] + k; // BUG: racecheck
		cluster.sync();
		y[i] += other[threadIdx.x];
#ifdef FIXED
		cluster.sync();
#endif
	}
	cluster.sync();
}

int main() { return run_pairs(pairs); }
