// Right: locks of which a holder has no fence, since nothing that it would order can come in the other order.
#include "../mistake.h"
#include <cooperative_groups.h>

__device__ int lock, outer, flag, ticket, serving, data, count, ready, seen, other[8];
static __device__ void take(int *l) { while (atomicCAS(l, 0, 1) != 0) ; }
static __device__ void give(int *l) { atomicExch(l, 0); }
static __device__ void wait_for(int *f) { while (atomicAdd(f, 0) == 0) ; }

// Block 1 comes behind block 0 by a flag.
__global__ void behind_a_flag()
{
	if (blockIdx.x == 0) {
		take(&lock);
		data = 5;
		__threadfence();
		give(&lock);
		atomicExch(&flag, 1);
	} else {
		wait_for(&flag);
		take(&lock);
		__threadfence();
		data = 6;
		give(&lock);
	}
}
// The same with the flag set while the lock is held.
__global__ void flag_inside()
{
	if (blockIdx.x == 0) {
		take(&lock);
		data = 5;
		atomicExch(&flag, 1);
		__threadfence();
		give(&lock);
	} else {
		wait_for(&flag);
		take(&lock);
		__threadfence();
		data = 6;
		give(&lock);
	}
}
// Another thread of block 1 sees the flag, and a barrier follows.
__global__ void behind_a_barrier()
{
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		take(&lock);
		data = 5;
		__threadfence();
		give(&lock);
		atomicExch(&flag, 1);
	} else if (blockIdx.x == 1) {
		if (threadIdx.x == 33)
			wait_for(&flag);
		__syncthreads();
		if (threadIdx.x == 0) {
			take(&lock);
			__threadfence();
			data = 6;
			give(&lock);
		}
	}
}
__global__ void behind_a_grid_barrier()
{
	if (blockIdx.x == 0) {
		take(&lock);
		data = 5;
		give(&lock);
	}
	cooperative_groups::this_grid().sync();
	if (blockIdx.x == 1) {
		take(&lock);
		data = 6;
		give(&lock);
	}
}
// Block 1 says that it comes before it takes the lock. If block 0 is the second, it sees that, and leaves the data alone.
__global__ void announced()
{
	if (blockIdx.x == 0) {
		take(&lock);
		__threadfence();
		if (atomicAdd(&flag, 0) == 0)
			data = 5;
		__threadfence();
		give(&lock);
	} else {
		*(volatile int *)&flag = 1;
		__threadfence();
		take(&lock);
		__threadfence();
		data = 6;
		give(&lock);
	}
}
// The outer lock orders what the inner one does not, whatever the inner one is for.
__global__ void nested()
{
	take(&outer);
	__threadfence();
	take(&lock);
	data = (int)blockIdx.x;
	give(&lock);
	__threadfence();
	give(&outer);
}
// The other way round.
__global__ void nested_inside()
{
	take(&lock);
	take(&outer);
	__threadfence();
	data = (int)blockIdx.x;
	__threadfence();
	give(&outer);
	give(&lock);
}
// Who finds the lock taken does something else.
__global__ void one_try()
{
	if (atomicCAS(&lock, 0, 1) == 0) {
		__threadfence();
		data = (int)blockIdx.x;
		__threadfence();
		give(&lock);
	} else {
		other[blockIdx.x] = 1;
	}
}
// The first to come sets the value, and nobody takes the word again.
__global__ void once()
{
	if (atomicCAS(&lock, 0, 1) == 0) {
		data = 7;
		__threadfence();
		atomicExch(&lock, 2);
	} else {
		while (atomicAdd(&lock, 0) != 2) ;
		__threadfence();
		other[blockIdx.x] = data;
	}
}
__global__ void tickets()
{
	const int mine = atomicAdd(&ticket, 1);
	while (atomicAdd(&serving, 0) != mine) ;
	if (mine > 0)
		__threadfence();
	data = (int)blockIdx.x;
	if (mine + 1 < (int)gridDim.x)
		__threadfence();
	atomicAdd(&serving, 1);
}
// By turns: the word is taken by 0 and given back by 1 and so on, which is no lock.
__global__ void by_turns()
{
	while (atomicCAS(&lock, (int)blockIdx.x, 100) != (int)blockIdx.x) ;
	if (blockIdx.x > 0)
		__threadfence();
	data = (int)blockIdx.x;
	if (blockIdx.x + 1 < gridDim.x)
		__threadfence();
	atomicExch(&lock, (int)blockIdx.x + 1);
}
// Whoever knows from the data that nobody follows needs no fence.
__global__ void last_of_all()
{
	take(&lock);
	__threadfence();
	count = count + 1;
	if (count < (int)gridDim.x)
		__threadfence();
	give(&lock);
}
// The consumer gives the lock back with a fence until it has found the value.
__global__ void wait_under_the_lock()
{
	if (blockIdx.x == 0) {
		take(&lock);
		__threadfence();
		data = 42;
		ready = 1;
		__threadfence();
		give(&lock);
		return;
	}
	for (;;) {
		take(&lock);
		__threadfence();
		if (ready)
			break;
		__threadfence();
		give(&lock);
	}
	other[0] = data;
	ready = 2;
	give(&lock);
}
// The consumer closes the lock to a producer that comes too late, so the producer is the first to take it, or never does.
__global__ void too_late()
{
	if (blockIdx.x == 0) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			data = 42;
			__threadfence();
			give(&lock);
		}
	} else {
		while (atomicCAS(&lock, 0, 1) == 1) ;
		__threadfence();
		const int v = data;
		atomicExch(&lock, v ? 0 : 2);
	}
}
// Who finds the lock taken says so and is waited for.
__global__ void loser_is_second()
{
	if (atomicCAS(&lock, 0, 1) == 0) {
		data = 5;
		__threadfence();
		wait_for(&flag);
		give(&lock);
	} else {
		atomicExch(&flag, 1);
		take(&lock);
		__threadfence();
		data = 6;
		give(&lock);
	}
}
// Each has its own element, or all write the same value.
__global__ void nothing_to_order()
{
	take(&lock);
	other[blockIdx.x] = (int)blockIdx.x;
	data = 3;
	give(&lock);
}
// The kernel's heap may give the second block the place that the first has freed.
__global__ void own_memory()
{
	int *mine = (int *)malloc(64);
	take(&lock);
	mine[0] = (int)blockIdx.x;
	give(&lock);
	free(mine);
}
// A section of the whole block, with barriers in place of one of its fences.
__global__ void whole_block()
{
	if (threadIdx.x == 0)
		take(&lock);
	__syncthreads();
	__threadfence();
	if (threadIdx.x == 33)
		data = (int)blockIdx.x;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		give(&lock);
}
// In every second block, a barrier in place of the acquire fence. The thread that writes has the only release fence, and
// another gives the lock back.
__global__ void barriers_and_one_fence()
{
	if (threadIdx.x == 0) {
		take(&lock);
		if (blockIdx.x % 2 == 0)
			__threadfence();
	}
	__syncthreads();
	if (threadIdx.x == 33) {
		data = (int)blockIdx.x;
		__threadfence();
	}
	__syncthreads();
	if (threadIdx.x == 0)
		give(&lock);
}
// The last thread to come to the barrier overwrites what the first has written, and has the fence.
__global__ void written_twice()
{
	if (threadIdx.x == 0) {
		take(&lock);
		__threadfence();
		data = (int)blockIdx.x;
		if (blockIdx.x % 2 == 0)
			__threadfence();
	}
	__syncthreads();
	if (threadIdx.x == 63) {
		data = 10 + (int)blockIdx.x;
		__threadfence();
	}
	__syncthreads();
	if (threadIdx.x == 0)
		give(&lock);
}
// Block 1 writes only if one of its threads has seen, while another holds the lock, that block 0 has come first.
__global__ void seen_inside()
{
	__shared__ int seen;
	if (threadIdx.x == 0)
		take(&lock);
	if (blockIdx.x == 0) {
		if (threadIdx.x == 0)
			data = 5;
	} else {
		__syncthreads();
		if (threadIdx.x == 33)
			seen = atomicAdd(&flag, 0);
		__syncthreads();
		if (threadIdx.x == 0 && seen) {
			__threadfence();
			data = 6;
		}
	}
	if (threadIdx.x == 0) {
		__threadfence();
		give(&lock);
		if (blockIdx.x == 0)
			atomicExch(&flag, 1);
	}
}
// Block 1 says that it comes. If block 0 is the second, one of its threads sees that, and the others leave the data alone.
__global__ void announced_to_a_block()
{
	__shared__ int seen;
	if (blockIdx.x == 1) {
		if (threadIdx.x == 0) {
			*(volatile int *)&flag = 1;
			__threadfence();
			take(&lock);
			__threadfence();
			data = 6;
			give(&lock);
		}
		return;
	}
	if (threadIdx.x == 0) {
		take(&lock);
		__threadfence();
	}
	__syncthreads();
	if (threadIdx.x == 33)
		seen = atomicAdd(&flag, 0);
	__syncthreads();
	if (threadIdx.x == 32 && !seen)
		data = 5;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		give(&lock);
	}
}
// One thread counts the blocks, and no block follows the last.
__global__ void last_block_of_all()
{
	__shared__ int mine;
	if (threadIdx.x == 0)
		take(&lock);
	__syncthreads();
	if (threadIdx.x == 33) {
		mine = count = count + 1;
		other[0] = mine;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		if (mine < (int)gridDim.x)
			__threadfence();
		give(&lock);
	}
}
// The grid's barrier is passed while a block holds the lock, and orders the two.
__global__ void grid_barrier_inside()
{
	if (blockIdx.x == 0)
		take(&lock);
	if (blockIdx.x == 0)
		data = 5;
	cooperative_groups::this_grid().sync();
	if (blockIdx.x == 0)
		give(&lock);
	if (blockIdx.x == 1) {
		take(&lock);
		data = 6;
		give(&lock);
	}
}
// Readers count themselves in the word.
__global__ void readers_and_a_writer()
{
	if (blockIdx.x == 1) {
		while (atomicCAS(&lock, 0, -1) != 0) ;
		__threadfence();
		data = 9;
		__threadfence();
		give(&lock);
		return;
	}
	for (int v = 0;;) {
		const int now = atomicCAS(&lock, v, v + 1);
		if (now == v)
			break;
		v = now < 0 ? 0 : now;
	}
	__threadfence();
	other[blockIdx.x] = data;
	__threadfence();
	atomicSub(&lock, 1);
}
// The word is a lock of one block, and then counts.
__global__ void counter_later()
{
	if (blockIdx.x == 0) {
		take(&lock);
		data = 5;
		__threadfence();
		give(&lock);
		atomicAdd(&lock, 4);
	} else {
		while (atomicCAS(&lock, 4, 5) != 4) ;
		__threadfence();
		data = 6;
		atomicExch(&lock, 4);
	}
}

#define RUN(kernel, blocks, threads) \
	do { \
		for (int i = 0; i < 9; i++) \
			CHECK(cudaMemset(all[i], 0, i < 8 ? sizeof(int) : sizeof other)); \
		kernel<<<blocks, threads>>>(); \
		CHECK(cudaDeviceSynchronize()); \
	} while (0)

int main()
{
	void *all[9];
	CHECK(cudaGetSymbolAddress(&all[0], lock));
	CHECK(cudaGetSymbolAddress(&all[1], outer));
	CHECK(cudaGetSymbolAddress(&all[2], flag));
	CHECK(cudaGetSymbolAddress(&all[3], ticket));
	CHECK(cudaGetSymbolAddress(&all[4], serving));
	CHECK(cudaGetSymbolAddress(&all[5], data));
	CHECK(cudaGetSymbolAddress(&all[6], count));
	CHECK(cudaGetSymbolAddress(&all[7], ready));
	CHECK(cudaGetSymbolAddress(&all[8], other));
	RUN(behind_a_flag, 2, 1);
	RUN(flag_inside, 2, 1);
	RUN(announced, 2, 1);
	RUN(behind_a_barrier, 2, 64);
	CHECK(cudaMemset(all[0], 0, sizeof lock));
	CHECK(cudaLaunchCooperativeKernel((const void *)behind_a_grid_barrier, 2, 1, nullptr));
	CHECK(cudaDeviceSynchronize());
	RUN(nested, 5, 1);
	RUN(nested_inside, 5, 1);
	RUN(one_try, 8, 1);
	RUN(once, 8, 1);
	RUN(tickets, 8, 1);
	RUN(by_turns, 8, 1);
	RUN(last_of_all, 8, 1);
	RUN(wait_under_the_lock, 2, 1);
	RUN(too_late, 2, 1);
	RUN(loser_is_second, 2, 1);
	RUN(nothing_to_order, 8, 1);
	RUN(own_memory, 8, 1);
	RUN(whole_block, 4, 64);
	RUN(barriers_and_one_fence, 4, 64);
	RUN(written_twice, 4, 64);
	RUN(seen_inside, 2, 64);
	RUN(announced_to_a_block, 2, 64);
	RUN(last_block_of_all, 4, 64);
	CHECK(cudaMemset(all[0], 0, sizeof lock));
	CHECK(cudaLaunchCooperativeKernel((const void *)grid_barrier_inside, 2, 1, nullptr));
	CHECK(cudaDeviceSynchronize());
	RUN(readers_and_a_writer, 4, 1);
	RUN(counter_later, 2, 1);
	return 0;
}
