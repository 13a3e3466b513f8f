/* cpudevice_clusters.cu: thread block clusters on the CPU device: shape, barrier, distributed shared memory, what is
 * refused. Everything here holds on a Hopper GPU too. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

namespace cg = cooperative_groups;

enum { THREADS = 64 };

static int *results(int count)
{
    int *r = NULL;
    ck_assert_int_eq(cudaMallocManaged(&r, count * sizeof *r), cudaSuccess);
    memset(r, 0xff, count * sizeof *r);
    return r;
}

template <class... P>
static cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 cluster, size_t shared, P... arguments)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = cluster.x, a.val.clusterDim.y = cluster.y, a.val.clusterDim.z = cluster.z;
    c.gridDim = grid, c.blockDim = dim3(THREADS), c.dynamicSmemBytes = shared, c.attrs = &a, c.numAttrs = 1;
    const cudaError_t e = cudaLaunchKernelEx(&c, kernel, arguments...);
    const cudaError_t after = cudaDeviceSynchronize();
    return e ? e : after;
}

/* ---- shape ---- */

static __global__ void shape(int *out)
{
    uint32_t rank, size, x, y, cx, cy, nx, ny, said;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(said));
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(cx));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(cy));
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(nx));
    asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(ny));
    const cg::cluster_group c = cg::this_cluster();
    const bool same = c.block_rank() == rank && c.num_blocks() == size && c.dim_blocks().y == ny &&
                      c.block_index().x == x && c.num_threads() == size * THREADS &&
                      c.thread_rank() == rank * THREADS + threadIdx.x;
    if (threadIdx.x == 0)
        out[blockIdx.y * gridDim.x + blockIdx.x] =
            same && cx * nx + x == blockIdx.x && cy * ny + y == blockIdx.y ? (int)(rank + 100 * size + 10000 * said) : -1;
}

START_TEST(blocks_know_their_cluster)
{
    int *out = results(24);
    ck_assert_int_eq(launch(shape, dim3(6, 4), dim3(3, 2, 1), 0, out), cudaSuccess);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 6; x++)
            ck_assert_int_eq(out[y * 6 + x], 10600 + x % 3 + 3 * (y % 2));
    const dim3 grid(6, 4);
    shape<<<grid, THREADS>>>(out); /* without: each block a cluster of its own */
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 24; i++)
        ck_assert_int_eq(out[i], 100);
    cudaFree(out);
}
END_TEST

/* ---- distributed shared memory ---- */

/* Each block reads the next one's static and dynamic shared memory, by a pointer and by a 32-bit address. */
static __global__ void __cluster_dims__(4, 1, 1) neighbours(int *out)
{
    __shared__ int fixed[THREADS];
    extern __shared__ int dynamic[];
    const cg::cluster_group c = cg::this_cluster();
    const unsigned t = threadIdx.x, next = (c.block_rank() + 1) % c.num_blocks();
    fixed[t] = 1000 * (int)blockIdx.x + (int)t;
    dynamic[t] = -fixed[t];
    c.sync();
    const int *p = c.map_shared_rank(fixed, (int)next), *q = c.map_shared_rank(dynamic, (int)next);
    uint32_t remote, value, rank;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(remote)
                 : "r"((uint32_t)__cvta_generic_to_shared(&fixed[t])), "r"(next));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(remote));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(remote));
    out[blockIdx.x * THREADS + t] = p[t] == -q[t] && (int)value == p[t] && rank == next ? p[t] : -1;
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(remote), "r"(7u) : "memory");
    c.sync();
    if (fixed[t] != 7)
        out[blockIdx.x * THREADS + t] = -2;
}

START_TEST(blocks_reach_each_others_memory)
{
    int *out = results(8 * THREADS);
    neighbours<<<8, THREADS, THREADS * sizeof(int)>>>(out);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int b = 0; b < 8; b++)
        for (int t = 0; t < THREADS; t++)
            ck_assert_int_eq(out[b * THREADS + t], 1000 * (b / 4 * 4 + (b + 1) % 4) + t);
    cudaFree(out);
}
END_TEST

/* All threads of the cluster count in block 0's memory. */
static __global__ void count(int *out)
{
    __shared__ int counter;
    const cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0)
        counter = 0;
    c.sync();
    atomicAdd(c.map_shared_rank(&counter, 0), 1);
    c.sync();
    if (c.thread_rank() == 0)
        out[blockIdx.x / c.num_blocks()] = counter;
}

START_TEST(all_sizes_of_clusters)
{
    int *out = results(16);
    for (unsigned size = 1; size <= 8; size++) {
        ck_assert_int_eq(launch(count, dim3(2 * size), dim3(size), 0, out), cudaSuccess);
        ck_assert_int_eq(out[0], (int)size * THREADS);
        ck_assert_int_eq(out[1], (int)size * THREADS);
    }
    cudaFree(out);
}
END_TEST

/* ---- the barrier ---- */

/* Arrive, do something else, wait. A thread that has ended is not waited for. */
static __global__ void halves(int *out)
{
    __shared__ volatile int there;
    const cg::cluster_group c = cg::this_cluster();
    there = 0;
    c.sync();
    if (threadIdx.x >= 32)
        return;
    for (int round = 1; round <= 20; round++) {
        there = round;
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
        if (*c.map_shared_rank(&there, (int)(c.block_rank() ^ 1)) != round)
            out[blockIdx.x] = -round;
        c.sync();
    }
    if (threadIdx.x == 0 && out[blockIdx.x] == -1)
        out[blockIdx.x] = 1;
    c.sync(); /* no block leaves while another may still look */
}

START_TEST(barrier_of_the_cluster)
{
    int *out = results(4);
    ck_assert_int_eq(launch(halves, dim3(4), dim3(2), 0, out), cudaSuccess);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(out[i], 1);
    cudaFree(out);
}
END_TEST

/* A block polls what another writes to its memory, without any barrier: both get on. */
static __global__ void __cluster_dims__(2, 1, 1) ping_pong(int *out, int rounds)
{
    __shared__ int ball;
    const cg::cluster_group c = cg::this_cluster();
    ball = 0;
    c.sync();
    if (threadIdx.x == 0) {
        volatile int *theirs = c.map_shared_rank(&ball, (int)(c.block_rank() ^ 1)), *mine = &ball;
        for (int i = 1; i <= rounds; i++) {
            if (c.block_rank() == 0)
                *theirs = i;
            while (*mine < i)
                __nanosleep(20);
            if (c.block_rank() == 1)
                *theirs = i;
        }
        out[blockIdx.x] = *mine;
    }
    c.sync();
}

START_TEST(blocks_poll_each_other)
{
    int *out = results(2);
    ping_pong<<<2, THREADS>>>(out, 50);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(out[0], 50);
    ck_assert_int_eq(out[1], 50);
    cudaFree(out);
}
END_TEST

/* Clusters whose blocks meet at the grid's barrier too. */
static __global__ void __cluster_dims__(2, 1, 1) whole_grid(int *out)
{
    const cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0)
        atomicAdd(&out[0], 1);
    c.sync();
    cg::this_grid().sync();
    if (threadIdx.x == 0)
        out[1 + blockIdx.x] = out[0];
}

START_TEST(clusters_of_a_cooperative_grid)
{
    int *out = results(5);
    void *arguments[] = {&out};
    out[0] = 0;
    ck_assert_int_eq(cudaLaunchCooperativeKernel((const void *)whole_grid, dim3(4), dim3(THREADS), arguments, 0, 0),
                     cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 1; i < 5; i++)
        ck_assert_int_eq(out[i], 4);
    cudaFree(out);
}
END_TEST

/* ---- values that are sent ---- */

/* Thread 0 sends a value and a pair to the next block and adds to a third; each block waits for the bytes of what comes. */
static __global__ void __cluster_dims__(4, 1, 1) values_sent(unsigned *out)
{
    __shared__ alignas(16) unsigned got[4];
    __shared__ alignas(8) uint64_t bar;
    const cg::cluster_group c = cg::this_cluster();
    const unsigned next = (c.block_rank() + 1) % c.num_blocks(), mine = 10 * blockIdx.x;
    const uint32_t here = (uint32_t)__cvta_generic_to_shared(got), at = (uint32_t)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) {
        got[1] = 100;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(16) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    c.sync();
    if (threadIdx.x == 0) {
        uint32_t there, bar_there;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(next));
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar_there) : "r"(at), "r"(next));
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(there),
                     "r"(mine), "r"(bar_there)
                     : "memory");
        asm volatile(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0 + 4], %1, [%2];" ::"r"(
                there),
            "r"(mine), "r"(bar_there)
            : "memory");
        asm volatile(
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0 + 8], {%1, %2}, [%3];" ::"r"(there),
            "r"(mine + 1), "r"(mine + 2), "r"(bar_there)
            : "memory");
    }
    asm volatile("{\n.reg .pred p;\nagain:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra again;\n}" ::"r"(at)
                 : "memory");
    if (threadIdx.x < 4)
        out[4 * blockIdx.x + threadIdx.x] = got[threadIdx.x];
    c.sync();
}

START_TEST(values_come_with_their_bytes)
{
    unsigned *out = (unsigned *)results(32);
    values_sent<<<8, THREADS>>>(out);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (unsigned b = 0; b < 8; b++) {
        const unsigned from = 10 * (b / 4 * 4 + (b + 3) % 4);
        ck_assert_uint_eq(out[4 * b], from);
        ck_assert_uint_eq(out[4 * b + 1], 100 + from);
        ck_assert_uint_eq(out[4 * b + 2], from + 1);
        ck_assert_uint_eq(out[4 * b + 3], from + 2);
    }
    cudaFree(out);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(impossible_clusters)
{
    int *out = results(64), clusters = -1;
    ck_assert_int_eq(launch(count, dim3(3), dim3(2), 0, out), cudaErrorInvalidClusterSize);
    ck_assert_int_eq(launch(count, dim3(16), dim3(16), 0, out), cudaErrorInvalidClusterSize);
    ck_assert_int_eq(cudaFuncSetAttribute(count, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), cudaSuccess);
    ck_assert_int_eq(launch(count, dim3(16), dim3(16), 0, out), cudaSuccess);
    ck_assert_int_eq(out[0], 16 * THREADS);
    cudaGetLastError();
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3(8), c.blockDim = dim3(THREADS);
    ck_assert_int_eq(cudaOccupancyMaxActiveClusters(&clusters, neighbours, &c), cudaSuccess);
    ck_assert_int_gt(clusters, 0);
    cudaFree(out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: clusters");
    TCase *tests = tcase_create("clusters");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, blocks_know_their_cluster);
    tcase_add_test(tests, blocks_reach_each_others_memory);
    tcase_add_test(tests, all_sizes_of_clusters);
    tcase_add_test(tests, barrier_of_the_cluster);
    tcase_add_test(tests, blocks_poll_each_other);
    tcase_add_test(tests, clusters_of_a_cooperative_grid);
    tcase_add_test(tests, values_come_with_their_bytes);
    tcase_add_test(tests, impossible_clusters);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
