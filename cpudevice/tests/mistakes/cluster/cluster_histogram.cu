// Both blocks count in the first one's bins, without atomics.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int bins[8];
	cg::cluster_group cluster = cg::this_cluster();
	int *first = cluster.map_shared_rank(bins, 0);
	if (threadIdx.x < 8)
		bins[threadIdx.x] = 0;
	cluster.sync();
	const int bin = x[blockIdx.x * THREADS + threadIdx.x] % 8;
#ifdef FIXED
	atomicAdd(&first[bin], 1);
#else
	first[bin]++; // BUG: racecheck
#endif
	cluster.sync();
	if (cluster.block_rank() == 0 && threadIdx.x < 8)
		y[blockIdx.x * THREADS + threadIdx.x] = bins[threadIdx.x];
}

int main() { return run_pairs(pairs); }
