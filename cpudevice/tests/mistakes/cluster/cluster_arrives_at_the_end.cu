// The readers signal the other block that they are done, but it does not wait for them and may have ended.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int mine[THREADS];
	__shared__ uint64_t done;
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	if (threadIdx.x == 0) {
		INIT(&done, (int)THREADS);
		INIT_FENCE();
	}
	mine[threadIdx.x] = x[i];
	cluster.sync();
	y[i] = mine[THREADS - 1 - threadIdx.x];
	ARRIVE_AT(&done, rank ^ 1); // BUG: memcheck
#ifdef FIXED
	WAIT_CLUSTER(&done, 0);
#endif
}

int main() { return run_pairs(pairs); }
