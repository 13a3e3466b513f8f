// The flag that publishes what was written to the other block's shared memory is set with memory_order_relaxed.
#include <cuda/atomic>

#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ int theirs[THREADS], flag[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank();
	const int i = blockIdx.x * THREADS + threadIdx.x;
	flag[threadIdx.x] = 0;
	cluster.sync();
	cluster.map_shared_rank(theirs, rank ^ 1)[threadIdx.x] = x[i];
	cuda::atomic_ref<int, cuda::thread_scope_device> there(cluster.map_shared_rank(flag, rank ^ 1)[threadIdx.x]),
		here(flag[threadIdx.x]);
#ifdef FIXED
	there.store(1, cuda::memory_order_release);
#else
	there.store(1, cuda::memory_order_relaxed);
#endif
	while (!here.load(cuda::memory_order_acquire))
		;
	y[i] = theirs[threadIdx.x]; // BUG: racecheck
	cluster.sync();
}

int main() { return run_pairs(pairs); }
