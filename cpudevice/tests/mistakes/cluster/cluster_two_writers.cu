// Both blocks write their sum to one place of the first.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int sum[2];
	cg::cluster_group cluster = cg::this_cluster();
	int *first = cluster.map_shared_rank(sum, 0);
	cluster.sync();
	if (threadIdx.x == 0) {
#ifdef FIXED
		first[cluster.block_rank()] = x[blockIdx.x];
#else
		first[0] = x[blockIdx.x]; // BUG: racecheck
#endif
	}
	cluster.sync();
	if (cluster.block_rank() == 0 && threadIdx.x == 0)
		y[blockIdx.x] = sum[0];
}

int main() { return run_pairs(pairs); }
