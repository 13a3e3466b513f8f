// A block sends its array to the other, and ends while the copy may still read it.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ __align__(128) int mine[THREADS], theirs[THREADS];
	__shared__ uint64_t come;
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	if (threadIdx.x == 0) {
		INIT(&come, 1);
		INIT_FENCE();
		EXPECT(&come, (uint32_t)sizeof mine);
	}
	mine[threadIdx.x] = x[i];
	PROXY_FENCE();
	cluster.sync();
	if (threadIdx.x == 0)
		SEND(theirs, mine, (uint32_t)sizeof mine, &come, rank ^ 1); // BUG: racecheck
	WAIT_CLUSTER(&come, 0);
	y[i] = theirs[threadIdx.x];
#ifdef FIXED
	cluster.sync();
#endif
}

int main() { return run_pairs(pairs); }
