// Right: the host and a kernel count in managed memory with atomics, and the host waits for a flag behind a fence.
#include "../mistake.h"
#include <atomic>

struct Shared { int count, most, flag, result; };

__global__ void work(Shared *s, int n)
{
	atomicAdd_system(&s->count, 1);
	atomicMax_system(&s->most, 3);
	if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
		s->result = n;
		__threadfence_system();
		*(volatile int *)&s->flag = 1;
	}
}
int main()
{
	Shared *s;
	CHECK(cudaMallocManaged(&s, sizeof *s));
	*s = Shared{0, 0, 0, 0};
	work<<<4, 64>>>(s, 42);
	for (int i = 0; i < 44; i++) {
		if (i % 3 == 0) __sync_fetch_and_add(&s->count, 1);
		else if (i % 3 == 1) __atomic_fetch_add(&s->count, 1, __ATOMIC_SEQ_CST);
		else ((std::atomic<int> *)&s->count)->fetch_add(1);
	}
	for (int i = 0, old; i < 10; i++) {
		do old = s->most;
		while (!__sync_bool_compare_and_swap(&s->most, old, old > 5 ? old : 5));
	}
	while (*(volatile int *)&s->flag == 0) ;
	std::atomic_thread_fence(std::memory_order_acquire);
	int result = s->result;
	while (__atomic_load_n(&s->count, __ATOMIC_SEQ_CST) != 300) ;
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(s));
	return result != 42;
}
