// Right: a ring between two blocks, each atomic with the order that it needs.
#include <cuda/atomic>
#include "../mistake.h"

struct ring {
	int slot[8];
	cuda::atomic<unsigned, cuda::thread_scope_device> taken, put;
	cuda::atomic<int, cuda::thread_scope_device> looks;
};

__global__ void pass(ring *r, int *x, int n)
{
	for (int i = 0; i < n; i++) {
		if (blockIdx.x == 0) {
			unsigned at = r->put.load(cuda::memory_order_relaxed);
			while (at - r->taken.load(cuda::memory_order_acquire) == 8) r->looks.fetch_add(1, cuda::memory_order_relaxed);
			r->slot[at % 8] = i;
			r->put.store(at + 1, cuda::memory_order_release);
		} else {
			unsigned at = r->taken.load(cuda::memory_order_relaxed);
			while (r->put.load(cuda::memory_order_relaxed) == at) r->looks.fetch_add(1, cuda::memory_order_relaxed);
			cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
			x[i] = r->slot[at % 8];
			r->taken.store(at + 1, cuda::memory_order_release);
		}
	}
}

int main()
{
	ring *r;
	int *x, h[40];
	CHECK(cudaMalloc(&r, sizeof *r));
	CHECK(cudaMalloc(&x, sizeof h));
	CHECK(cudaMemset((void *)r, 0, sizeof *r));
	pass<<<2, 1>>>(r, x, 40);
	CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(r));
	CHECK(cudaFree(x));
	return h[39] != 39;
}
