// Two blocks pass through one lock, and the first takes it with memory_order_relaxed.
#include "../mistake.h"
#include <cuda/atomic>

__device__ int lock, newest, found;
__global__ void work()
{
	cuda::atomic_ref<int, cuda::thread_scope_device> ref(lock);
	if (blockIdx.x == 0) {
#ifdef FIXED
		while (ref.exchange(1, cuda::memory_order_acquire)) ;
#else
		while (ref.exchange(1, cuda::memory_order_relaxed)) ;
#endif
		found = newest; // BUG: racecheck
	} else {
		while (ref.exchange(1, cuda::memory_order_acquire)) ;
		newest = 7;
	}
	ref.store(0, cuda::memory_order_release);
}

int main()
{
	work<<<2, 1>>>();
	CHECK(cudaDeviceSynchronize());
}
