// A flag that is set with memory_order_relaxed publishes nothing.
#include <cuda/atomic>
#include "../mistake.h"

struct letter { int text; cuda::atomic<int, cuda::thread_scope_device> sent; };
__device__ letter box;

__global__ void post(int *out)
{
	if (blockIdx.x == 0) {
		box.text = 42;
#ifdef FIXED
		box.sent.store(1, cuda::memory_order_release);
#else
		box.sent.store(1, cuda::memory_order_relaxed);
#endif
	} else {
		while (!box.sent.load(cuda::memory_order_acquire)) ;
		*out = box.text; // BUG: racecheck
	}
}

int main()
{
	int *out;
	CHECK(cudaMalloc(&out, sizeof *out));
	post<<<2, 1>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
