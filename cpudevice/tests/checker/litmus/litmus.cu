/* Litmus tests of order between threads, blocks and scopes: `litmus NAME` runs one, `litmus` lists all, each with what the
 * PTX memory model says of it: right, or race. cpudevice/tests/checker/litmus.c runs them under cucc --check.
 *
 * The shapes and their names are those of the literature: message passing (mp), store buffering (sb), load buffering (lb),
 * write-to-read causality (wrc), independent reads of independent writes (iriw), and what programs make of them: locks,
 * tickets, last blocks, grid barriers, queues. Each race has a twin that is right. */
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
typedef cuda::atomic_ref<int, cuda::thread_scope_device> device_ref;
typedef cuda::atomic_ref<int, cuda::thread_scope_block> block_ref;
typedef cuda::atomic_ref<int, cuda::thread_scope_system> system_ref;

__device__ int D, D2, E[256]; /* data */
__device__ int F, G, H;       /* flags, locks, counters */
__device__ int *P;
__device__ double Q;
__device__ int out[256];

#define FENCE __threadfence();
#define FENCE_BLOCK __threadfence_block();
#define FENCE_SYSTEM __threadfence_system();
#define SET(f) atomicExch(&f, 1);
#define POLL(f) while (atomicAdd(&f, 0) == 0) ;
#define VSET(f) *(volatile int *)&f = 1;
#define VPOLL(f) while (*(volatile int *)&f == 0) ;
#define READ out[blockIdx.x * blockDim.x + threadIdx.x] = D;

/* Block 0 does one thing, block 1 another, block 2 a third; or thread 0 and thread 32 of one block. */
#define BLOCKS(name, first, second) \
    __global__ void name() { if (blockIdx.x == 0) { first } else if (blockIdx.x == 1) { second } }
#define BLOCKS3(name, first, second, third) \
    __global__ void name() { if (blockIdx.x == 0) { first } else if (blockIdx.x == 1) { second } else { third } }
#define THREADS(name, first, second) \
    __global__ void name() { if (threadIdx.x == 0) { first } else if (threadIdx.x == 32) { second } }

/* ---- message passing: fences and atomics ---- */
BLOCKS(mp_fences, D = 1; FENCE SET(F), POLL(F) FENCE READ)
BLOCKS(mp_no_release, D = 1; SET(F), POLL(F) FENCE READ)
BLOCKS(mp_no_acquire, D = 1; FENCE SET(F), POLL(F) READ)
BLOCKS(mp_no_fences, D = 1; SET(F), POLL(F) READ)
BLOCKS(mp_fence_before_data, FENCE D = 1; SET(F), POLL(F) FENCE READ)
BLOCKS(mp_acquire_before_poll, D = 1; FENCE SET(F), FENCE POLL(F) READ)
BLOCKS(mp_second_write_unfenced, D = 1; FENCE D = 2; SET(F), POLL(F) FENCE READ)
BLOCKS(mp_fences_system, D = 1; FENCE_SYSTEM SET(F), POLL(F) FENCE_SYSTEM READ)
BLOCKS(mp_block_fences, D = 1; FENCE_BLOCK SET(F), POLL(F) FENCE_BLOCK READ)
BLOCKS(mp_block_release_fence, D = 1; FENCE_BLOCK SET(F), POLL(F) FENCE READ)
BLOCKS(mp_block_acquire_fence, D = 1; FENCE SET(F), POLL(F) FENCE_BLOCK READ)
THREADS(mp_block_fences_in_block, D = 1; FENCE_BLOCK SET(F), POLL(F) FENCE_BLOCK READ)
THREADS(mp_no_fences_in_block, D = 1; SET(F), POLL(F) READ)
THREADS(mp_no_acquire_in_block, D = 1; FENCE_BLOCK SET(F), POLL(F) READ)
BLOCKS(mp_block_atomic, D = 1; FENCE atomicExch_block(&F, 1);, while (atomicAdd_block(&F, 0) == 0) ; FENCE READ)
THREADS(mp_block_atomic_in_block, D = 1; FENCE_BLOCK atomicExch_block(&F, 1);, while (atomicAdd_block(&F, 0) == 0) ; FENCE_BLOCK READ)
BLOCKS(mp_cas_sets, D = 1; FENCE atomicCAS(&F, 0, 1);, POLL(F) FENCE READ)
BLOCKS(mp_cas_sets_unfenced, D = 1; atomicCAS(&F, 0, 1);, POLL(F) FENCE READ)
BLOCKS(mp_plain_flag, D = 1; FENCE F = 1;, VPOLL(F) FENCE READ)
BLOCKS(mp_double, Q = 1; FENCE SET(F), POLL(F) FENCE out[1] = (int)Q;)
BLOCKS(mp_double_no_acquire, Q = 1; FENCE SET(F), POLL(F) out[1] = (int)Q;)
BLOCKS(mp_pointer, D = 1; FENCE atomicExch((unsigned long long *)&P, (unsigned long long)&D);, int *p;
       while (!(p = (int *)atomicAdd((unsigned long long *)&P, 0ull))) ; FENCE out[1] = *p;)
BLOCKS(mp_pointer_dependency, D = 1; FENCE atomicExch((unsigned long long *)&P, (unsigned long long)&D);, int *p;
       while (!(p = (int *)atomicAdd((unsigned long long *)&P, 0ull))) ; out[1] = *p;)

/* ---- volatile: relaxed at system scope ---- */
BLOCKS(mp_volatile_fences, D = 1; FENCE VSET(F), VPOLL(F) FENCE READ)
BLOCKS(mp_volatile_alone, D = 1; VSET(F), VPOLL(F) READ)
BLOCKS(mp_volatile_no_release, D = 1; VSET(F), VPOLL(F) FENCE READ)
BLOCKS(mp_volatile_no_acquire, D = 1; FENCE VSET(F), VPOLL(F) READ)
BLOCKS(mp_volatile_atomic, D = 1; FENCE VSET(F), POLL(F) FENCE READ)
BLOCKS(mp_atomic_volatile, D = 1; FENCE SET(F), VPOLL(F) FENCE READ)
BLOCKS(mp_atomic_volatile_unfenced, D = 1; FENCE SET(F), VPOLL(F) READ)

/* Data that is itself read and written by volatile accesses is no data race, but without fences on both sides nothing
 * promises that it is the new one: told as a note. */
#define VDATA *(volatile int *)&D = 1;
#define VREAD out[1] = *(volatile int *)&D;
BLOCKS(volatile_data_fences, VDATA FENCE VSET(F), VPOLL(F) FENCE VREAD)
BLOCKS(volatile_data_alone, VDATA VSET(F), VPOLL(F) VREAD)
BLOCKS(volatile_data_no_release, VDATA VSET(F), VPOLL(F) FENCE VREAD)
BLOCKS(volatile_data_no_acquire, VDATA FENCE VSET(F), VPOLL(F) VREAD)
BLOCKS(volatile_data_atomic_flag, VDATA SET(F), POLL(F) VREAD)
BLOCKS(volatile_data_after_flag, VSET(F) VDATA, VPOLL(F) VREAD)
BLOCKS(volatile_data_polled, VDATA, VPOLL(D))
__global__ void same_value() { D = 1; D2 = 2; }

/* ---- orders and scopes of cuda::atomic_ref ---- */
#define PASS(name, ref, puts, gets) \
    BLOCKS(name, D = 1; ref(F).store(1, puts);, while (ref(F).load(gets) == 0) ; READ)
#define PASS_IN_BLOCK(name, ref, puts, gets) \
    THREADS(name, D = 1; ref(F).store(1, puts);, while (ref(F).load(gets) == 0) ; READ)
PASS(ref_release_acquire, device_ref, memory_order_release, memory_order_acquire)
PASS(ref_seq_cst, device_ref, memory_order_seq_cst, memory_order_seq_cst)
PASS(ref_relaxed_store, device_ref, memory_order_relaxed, memory_order_acquire)
PASS(ref_relaxed_load, device_ref, memory_order_release, memory_order_relaxed)
PASS(ref_relaxed, device_ref, memory_order_relaxed, memory_order_relaxed)
PASS(ref_system, system_ref, memory_order_release, memory_order_acquire)
PASS(ref_block, block_ref, memory_order_release, memory_order_acquire)
PASS_IN_BLOCK(ref_block_in_block, block_ref, memory_order_release, memory_order_acquire)
PASS_IN_BLOCK(ref_relaxed_in_block, block_ref, memory_order_relaxed, memory_order_relaxed)
BLOCKS(ref_block_store, D = 1; block_ref(F).store(1, memory_order_release);, while (device_ref(F).load(memory_order_acquire) == 0) ; READ)
BLOCKS(ref_block_load, D = 1; device_ref(F).store(1, memory_order_release);, while (block_ref(F).load(memory_order_acquire) == 0) ; READ)
BLOCKS(ref_add, D = 1; device_ref(F).fetch_add(1, memory_order_release);, while (device_ref(F).load(memory_order_acquire) == 0) ; READ)
BLOCKS(ref_add_relaxed, D = 1; device_ref(F).fetch_add(1, memory_order_relaxed);, while (device_ref(F).load(memory_order_acquire) == 0) ; READ)
BLOCKS(ref_exchange, D = 1; device_ref(F).exchange(1, memory_order_acq_rel);, while (device_ref(F).load(memory_order_acquire) == 0) ; READ)
BLOCKS(ref_fences, D = 1; cuda::atomic_thread_fence(memory_order_release, cuda::thread_scope_device); device_ref(F).store(1, memory_order_relaxed);,
       while (device_ref(F).load(memory_order_relaxed) == 0) ; cuda::atomic_thread_fence(memory_order_acquire, cuda::thread_scope_device); READ)
BLOCKS(ref_block_fences, D = 1; cuda::atomic_thread_fence(memory_order_release, cuda::thread_scope_block); device_ref(F).store(1, memory_order_relaxed);,
       while (device_ref(F).load(memory_order_relaxed) == 0) ; cuda::atomic_thread_fence(memory_order_acquire, cuda::thread_scope_block); READ)
BLOCKS(ref_fence_then_acquire, D = 1; FENCE device_ref(F).store(1, memory_order_relaxed);, while (device_ref(F).load(memory_order_acquire) == 0) ; READ)
BLOCKS(ref_release_then_fence, D = 1; device_ref(F).store(1, memory_order_release);, while (device_ref(F).load(memory_order_relaxed) == 0) ; FENCE READ)
BLOCKS(ref_write_after_release, device_ref(F).store(1, memory_order_release); D = 1;, while (device_ref(F).load(memory_order_acquire) == 0) ; READ)

/* ---- chains: release sequences, causality through a third ---- */
BLOCKS3(chain_update, D = 1; device_ref(F).store(1, memory_order_release);, int one = 1;
        while (!device_ref(F).compare_exchange_strong(one, 2, memory_order_relaxed)) one = 1;,
        while (device_ref(F).load(memory_order_acquire) != 2) ; READ)
BLOCKS3(chain_broken, D = 1; device_ref(F).store(1, memory_order_release);, while (device_ref(F).load(memory_order_relaxed) != 1) ;
        device_ref(F).store(2, memory_order_relaxed);, while (device_ref(F).load(memory_order_acquire) != 2) ; READ)
BLOCKS3(wrc, D = 1; FENCE SET(F), POLL(F) FENCE SET(G), POLL(G) FENCE READ)
BLOCKS3(wrc_not_acquired, D = 1; FENCE SET(F), POLL(F) SET(G), POLL(G) FENCE READ)
BLOCKS3(wrc_not_released, D = 1; SET(F), POLL(F) FENCE SET(G), POLL(G) FENCE READ)
BLOCKS3(wrc_ref, D = 1; device_ref(F).store(1, memory_order_release);, while (!device_ref(F).load(memory_order_acquire)) ;
        device_ref(G).store(1, memory_order_release);, while (!device_ref(G).load(memory_order_acquire)) ; READ)
BLOCKS3(wrc_ref_relaxed, D = 1; device_ref(F).store(1, memory_order_release);, while (!device_ref(F).load(memory_order_relaxed)) ;
        device_ref(G).store(1, memory_order_release);, while (!device_ref(G).load(memory_order_acquire)) ; READ)
BLOCKS3(two_producers, D = 1; FENCE atomicAdd(&F, 1);, D2 = 1; FENCE atomicAdd(&F, 1);, while (atomicAdd(&F, 0) != 2) ; FENCE out[2] = D + D2;)
BLOCKS3(two_producers_one_unfenced, D = 1; FENCE atomicAdd(&F, 1);, D2 = 1; atomicAdd(&F, 1);, while (atomicAdd(&F, 0) != 2) ; FENCE out[2] = D + D2;)
/* A counter of which the reader knows the first release alone, or both. */
BLOCKS(counter_second_seen, FENCE atomicAdd(&F, 1); POLL(G) D = 1; FENCE atomicAdd(&F, 1); SET(H), POLL(F) FENCE SET(G) POLL(H) FENCE READ)
BLOCKS(counter_second_unseen, FENCE atomicAdd(&F, 1); POLL(G) D = 1; FENCE atomicAdd(&F, 1); SET(H), POLL(F) FENCE SET(G) POLL(H) READ)
/* Between one thread's write and its release of a counter, another of its block releases the counter. */
#define AFTER_ANOTHER(name, fence) \
    __global__ void name() \
    { \
        if (blockIdx.x == 0 && threadIdx.x == 0) { POLL(G) FENCE atomicAdd(&F, 1); } \
        if (blockIdx.x == 0 && threadIdx.x == 32) { D = 1; SET(G) POLL(F) fence atomicAdd(&F, 1); } \
        if (blockIdx.x == 1 && threadIdx.x == 0) { while (atomicAdd(&F, 0) != 2) ; FENCE READ } \
    }
AFTER_ANOTHER(counter_after_another, FENCE)
AFTER_ANOTHER(counter_after_another_unfenced, )
BLOCKS3(other_flag, D = 1; SET(F), D2 = 1; FENCE SET(G), POLL(G) FENCE POLL(F) READ)
BLOCKS3(own_flag, D = 1; FENCE SET(F), D2 = 1; FENCE SET(G), POLL(G) FENCE POLL(F) FENCE READ)

/* ---- no data race: strong accesses alone, whatever order they are seen in ---- */
BLOCKS(sb_atomics, atomicExch(&F, 1); out[0] = atomicAdd(&G, 0);, atomicExch(&G, 1); out[1] = atomicAdd(&F, 0);)
BLOCKS(sb_plain, F = 1; out[0] = G;, G = 1; out[1] = F;)
BLOCKS(lb_atomics, out[0] = atomicAdd(&F, 0); atomicExch(&G, 1);, out[1] = atomicAdd(&G, 0); atomicExch(&F, 1);)
BLOCKS(lb_plain, out[0] = F; G = 1;, out[1] = G; F = 1;)
BLOCKS3(iriw_atomics, atomicExch(&F, 1);, atomicExch(&G, 1);, out[0] = atomicAdd(&F, 0) + 2 * atomicAdd(&G, 0);)
BLOCKS3(iriw_plain, F = 1;, G = 1;, out[0] = F + 2 * G;)
BLOCKS(coherence_atomics, atomicExch(&F, 1);, atomicExch(&F, 2);)
BLOCKS(coherence_plain, F = 1;, F = 2;)
BLOCKS(atomic_and_plain, atomicExch(&F, 1);, out[0] = F;)
BLOCKS(counter_atomic, atomicAdd(&F, 1);, atomicAdd(&F, 1);)
BLOCKS(counter_plain, F += 1;, F += 1;)

/* ---- locks ---- */
#define WORK D = D + 1;
#define LOCK(name, take, before, after, give) \
    __global__ void name() { while (take) ; before WORK after give; }
LOCK(lock, atomicCAS(&F, 0, 1), FENCE, FENCE, atomicExch(&F, 0))
LOCK(lock_no_acquire, atomicCAS(&F, 0, 1), , FENCE, atomicExch(&F, 0))
LOCK(lock_no_release, atomicCAS(&F, 0, 1), FENCE, , atomicExch(&F, 0))
LOCK(lock_no_fences, atomicCAS(&F, 0, 1), , , atomicExch(&F, 0))
LOCK(lock_block_fences, atomicCAS(&F, 0, 1), FENCE_BLOCK, FENCE_BLOCK, atomicExch(&F, 0))
LOCK(lock_exchange, atomicExch(&F, 1), FENCE, FENCE, atomicExch(&F, 0))
LOCK(lock_exchange_no_acquire, atomicExch(&F, 1), , FENCE, atomicExch(&F, 0))
LOCK(lock_volatile_give, atomicCAS(&F, 0, 1), FENCE, FENCE, *(volatile int *)&F = 0)
LOCK(lock_volatile_give_unfenced, atomicCAS(&F, 0, 1), FENCE, , *(volatile int *)&F = 0)
LOCK(lock_ref, device_ref(F).exchange(1, memory_order_acquire), , , device_ref(F).store(0, memory_order_release))
LOCK(lock_ref_relaxed_take, device_ref(F).exchange(1, memory_order_relaxed), , , device_ref(F).store(0, memory_order_release))
LOCK(lock_ref_relaxed_give, device_ref(F).exchange(1, memory_order_acquire), , , device_ref(F).store(0, memory_order_relaxed))
LOCK(lock_ref_block, block_ref(F).exchange(1, memory_order_acquire), , , block_ref(F).store(0, memory_order_release))
__global__ void ticket()
{
    int mine = atomicAdd(&F, 1);
    while (atomicAdd(&G, 0) != mine) ;
    FENCE WORK FENCE
    atomicAdd(&G, 1);
}
__global__ void ticket_no_acquire()
{
    int mine = atomicAdd(&F, 1);
    while (atomicAdd(&G, 0) != mine) ;
    WORK FENCE
    atomicAdd(&G, 1);
}
__global__ void ticket_no_release()
{
    int mine = atomicAdd(&F, 1);
    while (atomicAdd(&G, 0) != mine) ;
    FENCE WORK
    atomicAdd(&G, 1);
}
/* Each element has its own lock; two threads of different blocks want both. */
__global__ void lock_wrong_one()
{
    int *l = blockIdx.x % 2 ? &F : &G;
    while (atomicCAS(l, 0, 1)) ;
    FENCE WORK FENCE
    atomicExch(l, 0);
}

/* ---- barriers and what they carry ---- */
#define LAST(name, publish, ticket, look, sum)                     \
    __global__ void name()                                         \
    {                                                              \
        __shared__ bool last;                                      \
        E[blockIdx.x * blockDim.x + threadIdx.x] = (int)threadIdx.x; \
        publish                                                    \
        if (threadIdx.x == 0) last = (ticket) == (int)gridDim.x - 1; \
        __syncthreads();                                           \
        if (!last) return;                                         \
        look                                                       \
        int v = 0;                                                 \
        for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) v += sum; \
        out[threadIdx.x] = v;                                      \
    }
LAST(last_block, FENCE __syncthreads();, atomicAdd(&F, 1), FENCE, E[i])
LAST(last_block_no_fence, __syncthreads();, atomicAdd(&F, 1), FENCE, E[i])
LAST(last_block_no_barrier, FENCE, atomicAdd(&F, 1), FENCE, E[i])
LAST(last_block_no_second_fence, FENCE __syncthreads();, atomicAdd(&F, 1), , E[i])
LAST(last_block_volatile, FENCE __syncthreads();, atomicAdd(&F, 1), , ((volatile int *)E)[i])
LAST(last_block_ref, __syncthreads();, device_ref(F).fetch_add(1, memory_order_acq_rel), , E[i])
LAST(last_block_ref_relaxed, __syncthreads();, device_ref(F).fetch_add(1, memory_order_relaxed), FENCE, E[i])
LAST(last_block_one_fences, if (threadIdx.x == 0) { FENCE } __syncthreads();, atomicAdd(&F, 1), FENCE, E[i])
LAST(last_block_fence_behind, __syncthreads(); if (threadIdx.x == 0) { FENCE }, atomicAdd(&F, 1), FENCE, E[i])
#define GRID_BARRIER(name, before, after)           \
    __global__ void name()                          \
    {                                               \
        E[blockIdx.x * blockDim.x + threadIdx.x] = 1; \
        __syncthreads();                            \
        if (threadIdx.x == 0) {                     \
            before                                  \
            atomicAdd(&F, 1);                       \
            while (atomicAdd(&F, 0) < (int)gridDim.x) ; \
            after                                   \
        }                                           \
        __syncthreads();                            \
        out[blockIdx.x * blockDim.x + threadIdx.x] = E[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x]; \
    }
GRID_BARRIER(grid_barrier, FENCE, FENCE)
GRID_BARRIER(grid_barrier_no_release, , FENCE)
__global__ void grid_sync()
{
    E[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    cg::this_grid().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = E[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x];
}
__global__ void grid_no_sync()
{
    E[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    cg::this_thread_block().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = E[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x];
}
#define CARRY(name, publish, receive)                                \
    __global__ void name()                                           \
    {                                                                \
        unsigned t = threadIdx.x;                                    \
        if (blockIdx.x == 0) {                                       \
            E[t] = 1;                                                \
            publish                                                  \
            if (t == 0) { FENCE SET(F) }                             \
        } else {                                                     \
            if (t == 0) { POLL(F) FENCE }                            \
            receive                                                  \
            out[t] = E[t];                                           \
        }                                                            \
    }
CARRY(carry_block, __syncthreads();, __syncthreads();)
CARRY(carry_no_barrier_before, , __syncthreads();)
CARRY(carry_no_barrier_behind, __syncthreads();, )
CARRY(carry_warp, __syncwarp();, __syncwarp();)
CARRY(carry_no_syncwarp_before, , __syncwarp();)
CARRY(carry_no_syncwarp_behind, __syncwarp();, )

/* ---- within a block: shared memory ---- */
#define SHARED(name, give, take)                    \
    __global__ void name()                          \
    {                                               \
        __shared__ int data;                        \
        __shared__ volatile int flag;               \
        if (threadIdx.x == 0) flag = data = 0;      \
        __syncthreads();                            \
        if (threadIdx.x == 0) { data = 1; give flag = 1; } \
        else if (threadIdx.x == 32) { while (flag == 0) ; take out[0] = data; } \
    }
SHARED(shared_flag, FENCE_BLOCK, FENCE_BLOCK)
SHARED(shared_flag_no_release, , FENCE_BLOCK)
SHARED(shared_flag_no_acquire, FENCE_BLOCK, )
__global__ void barrier_object()
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ int s[64];
    if (threadIdx.x == 0) init(&b, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = (int)threadIdx.x;
    b.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void barrier_object_not_waited()
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ int s[64];
    if (threadIdx.x == 0) init(&b, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = (int)threadIdx.x;
    (void)b.arrive();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void syncwarp_exchange()
{
    __shared__ int s[32];
    s[threadIdx.x % 32] = (int)threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[31 - threadIdx.x % 32];
}
__global__ void no_syncwarp_exchange()
{
    __shared__ int s[32];
    s[threadIdx.x % 32] = (int)threadIdx.x;
    out[threadIdx.x] = s[31 - threadIdx.x % 32];
}

/* ---- queues ---- */
__global__ void queue_places() { E[atomicAdd(&F, 1)] = (int)blockIdx.x; }
__global__ void queue_one_place() { atomicAdd(&F, 1); E[0] = (int)blockIdx.x; }
#define RING(name, publish, receive)                                                       \
    BLOCKS(name, for (int i = 0; i < 20; i++) { while (i - device_ref(G).load(memory_order_acquire) == 4) ; \
                 E[i % 4] = i; device_ref(F).store(i + 1, publish); },                     \
           for (int i = 0; i < 20; i++) { while (device_ref(F).load(receive) == i) ;       \
                 out[i] = E[i % 4]; device_ref(G).store(i + 1, memory_order_release); })
RING(ring, memory_order_release, memory_order_acquire)
RING(ring_relaxed_put, memory_order_relaxed, memory_order_acquire)
RING(ring_relaxed_take, memory_order_release, memory_order_relaxed)

/* ---- a plain look before an atomic: a race by the model, told as a note ---- */
BLOCKS(look_before_max, if (F < 5) atomicMax(&F, 5);, if (F < 7) atomicMax(&F, 7);)
BLOCKS(look_atomic_before_max, if (atomicAdd(&F, 0) < 5) atomicMax(&F, 5);, if (atomicAdd(&F, 0) < 7) atomicMax(&F, 7);)

static const struct test {
    const char *name;
    void (*kernel)();
    unsigned blocks, threads;
    const char *verdict;
    bool cooperative;
} tests[] = {
#define RIGHT(k, blocks, threads) {#k, k, blocks, threads, "right", false},
#define RACE(k, blocks, threads) {#k, k, blocks, threads, "race", false},
#define NOTE(k, blocks, threads) {#k, k, blocks, threads, "note", false},
#include "table.inc"
};

int main(int argc, char **argv)
{
    for (const test &t : tests)
        if (argc < 2)
            printf("%s %s\n", t.name, t.verdict);
        else if (!strcmp(t.name, argv[1])) {
            if (!strncmp(t.name, "grid_sync", 9) || !strcmp(t.name, "grid_no_sync"))
                cudaLaunchCooperativeKernel((const void *)t.kernel, dim3(t.blocks), dim3(t.threads), nullptr, 0, 0);
            else
                t.kernel<<<t.blocks, t.threads>>>();
            cudaError_t e = cudaDeviceSynchronize();
            if (e)
                fprintf(stderr, "litmus: %s: %s\n", t.name, cudaGetErrorString(e));
            return e != cudaSuccess;
        }
    if (argc < 2)
        return 0;
    fprintf(stderr, "litmus: no test is called %s\n", argv[1]);
    return 2;
}
