// Cooperative groups, barriers, pipelines and scoped atomics on the CPU device, each against what its definition says.
// With -DNO_CHECK the same file is a plain program that nvcc builds too.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#ifndef NO_CHECK
#include <check.h>

#include "suite.h"
#endif

namespace cg = cooperative_groups;

enum { THREADS = 256, BLOCKS = 6, WORDS = 4096 };

static int *d_out;
static int out[WORDS];

// Every test writes to a buffer full of -1 and has it back here; end() frees it.
static void begin()
{
    if (cudaMalloc(&d_out, sizeof(out)) != cudaSuccess)
        exit(1);
    cudaMemset(d_out, 0xff, sizeof(out));
}

static int end(const char *name, const int *want, int count)
{
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    if (error != cudaSuccess) {
        printf("%s: %s\n", name, cudaGetErrorString(error));
        return 1;
    }
    int bad = 0;
    for (int i = 0; i < count; i++)
        if (out[i] != want[i] && bad++ == 0)
            printf("%s: [%d] is %d, should be %d\n", name, i, out[i], want[i]);
    return bad;
}

// ---- tiles ----------------------------------------------------------------------------------------------------------

template <int SIZE> __global__ void tile_kernel(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<SIZE> tile = cg::tiled_partition<SIZE>(block);
    int id = (int)block.thread_rank(), rank = (int)tile.thread_rank();
    int up = tile.shfl_up(id, 1), down = tile.shfl_down(id, 1), flip = tile.shfl_xor(id, SIZE / 2), first = tile.shfl(id, 0);
    unsigned odd = tile.ballot(id & 1);
    int sum = cg::reduce(tile, id, cg::plus<int>()), largest = cg::reduce(tile, id, cg::greater<int>());
    int scan = cg::inclusive_scan(tile, rank + 1), before = cg::exclusive_scan(tile, rank + 1, cg::plus<int>());
    int *mine = out + id * 12;
    mine[0] = rank;
    mine[1] = (int)tile.meta_group_rank();
    mine[2] = up;
    mine[3] = down;
    mine[4] = flip;
    mine[5] = first;
    mine[6] = (int)odd;
    mine[7] = sum;
    mine[8] = largest;
    mine[9] = scan;
    mine[10] = before;
    mine[11] = tile.any(rank == 0) + 2 * tile.all(rank == 0) + 4 * (int)tile.match_any(rank / 2);
}

template <int SIZE> static int tile_test()
{
    static int want[THREADS * 12];
    for (int id = 0; id < THREADS; id++) {
        int rank = id % SIZE, base = id - rank, *w = want + id * 12;
        w[0] = rank;
        w[1] = id / SIZE;
        w[2] = rank ? id - 1 : id;
        w[3] = rank < SIZE - 1 ? id + 1 : id;
        w[4] = base + (rank ^ (SIZE / 2));
        w[5] = base;
        unsigned odd = 0;
        for (int i = 0; i < SIZE; i++)
            odd |= (unsigned)((base + i) & 1) << i;
        w[6] = (int)odd;
        w[7] = SIZE * base + SIZE * (SIZE - 1) / 2;
        w[8] = base + SIZE - 1;
        w[9] = (rank + 1) * (rank + 2) / 2;
        w[10] = rank * (rank + 1) / 2;
        w[11] = 1 + 2 * (SIZE == 1) + 4 * (int)((SIZE == 1 ? 1u : 3u) << (rank & ~1));
    }
    begin();
    tile_kernel<SIZE><<<1, THREADS>>>(d_out);
    return end("tile", want, THREADS * 12);
}

static int tiles()
{
    return tile_test<1>() + tile_test<2>() + tile_test<8>() + tile_test<16>() + tile_test<32>();
}

// ---- coalesced groups -----------------------------------------------------------------------------------------------

__global__ void coalesced_kernel(int *out)
{
    int id = (int)threadIdx.x;
    if (id % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int *mine = out + id * 6;
        mine[0] = (int)active.size();
        mine[1] = (int)active.thread_rank();
        mine[2] = active.shfl(id, active.size() - 1);
        mine[3] = cg::reduce(active, id, cg::plus<int>());
        mine[4] = cg::exclusive_scan(active, 1);
        cg::coalesced_group half = cg::labeled_partition(active, (int)(active.thread_rank() % 2));
        mine[5] = (int)(half.size() * 100 + half.thread_rank());
    }
}

static int coalesced()
{
    static int want[THREADS * 6];
    memset(want, 0xff, sizeof(want));
    for (int warp = 0; warp < THREADS / 32; warp++) {
        int size = 0, last = 0, sum = 0;
        for (int id = warp * 32; id < warp * 32 + 32; id++)
            if (id % 3 == 0) {
                want[id * 6 + 1] = want[id * 6 + 4] = size++;
                last = id;
                sum += id;
            }
        for (int id = warp * 32; id < warp * 32 + 32; id++)
            if (id % 3 == 0) {
                int rank = want[id * 6 + 1];
                want[id * 6] = size;
                want[id * 6 + 2] = last;
                want[id * 6 + 3] = sum;
                want[id * 6 + 5] = (rank % 2 ? size / 2 : (size + 1) / 2) * 100 + rank / 2;
            }
    }
    begin();
    coalesced_kernel<<<1, THREADS>>>(d_out);
    return end("coalesced", want, THREADS * 6);
}

// ---- the grid -------------------------------------------------------------------------------------------------------

// Each round every block reads what its neighbour wrote in the round before.
__global__ void grid_kernel(int *out)
{
    cg::grid_group grid = cg::this_grid();
    int block = (int)blockIdx.x, next = (block + 1) % (int)gridDim.x;
    int *now = out, *then = out + gridDim.x;
    if (threadIdx.x == 0)
        now[block] = block;
    grid.sync();
    for (int round = 0; round < 5; round++) {
        if (threadIdx.x == 0)
            then[block] = now[next] + 1;
        grid.sync();
        int *swap = now;
        now = then;
        then = swap;
    }
    if (grid.thread_rank() == 0)
        out[2 * gridDim.x] = (int)grid.size();
}

static int grid()
{
    int want[2 * BLOCKS + 1];
    for (int i = 0; i < BLOCKS; i++) {
        want[i] = (i + 4) % BLOCKS + 4;
        want[BLOCKS + i] = (i + 5) % BLOCKS + 5;
    }
    want[2 * BLOCKS] = BLOCKS * 64;
    begin();
    void *arguments[] = {&d_out};
    if (cudaLaunchCooperativeKernel((void *)grid_kernel, dim3(BLOCKS), dim3(64), arguments, 0, 0) != cudaSuccess)
        return 1;
    return end("grid", want, 2 * BLOCKS + 1);
}

// ---- cuda::barrier --------------------------------------------------------------------------------------------------

// Half of the threads produce, half consume, two barriers between them.
__global__ void barrier_kernel(int *out)
{
    __shared__ int item[THREADS / 2];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> ready, taken;
    int id = (int)threadIdx.x, half = THREADS / 2;
    if (id == 0) {
        init(&ready, THREADS);
        init(&taken, THREADS);
    }
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        if (id < half) {
            item[id] = 1000 * round + id;
            (void)ready.arrive();
            taken.arrive_and_wait();
        } else {
            ready.arrive_and_wait();
            out[round * half + id - half] = item[THREADS - 1 - id];
            (void)taken.arrive();
        }
    }
}

static int barriers()
{
    static int want[4 * THREADS / 2];
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < THREADS / 2; i++)
            want[round * THREADS / 2 + i] = 1000 * round + THREADS / 2 - 1 - i;
    begin();
    barrier_kernel<<<1, THREADS>>>(d_out);
    return end("barrier", want, 4 * THREADS / 2);
}

// ---- pipelines and asynchronous copies ------------------------------------------------------------------------------

// out[i] = 3 in[i], tile by tile, two stages; `kind` chooses who keeps the stages.
template <int kind> __global__ void pipeline_kernel(int *out, const int *in, int tiles)
{
    __shared__ __align__(16) int stage[2][THREADS];
    cg::thread_block block = cg::this_thread_block();
    int id = (int)threadIdx.x;
    if constexpr (kind == 0) { // the primitives
        for (int tile = 0; tile <= tiles; tile++) {
            if (tile < tiles)
                __pipeline_memcpy_async(&stage[tile % 2][id], &in[tile * THREADS + id], sizeof(int));
            __pipeline_commit();
            if (tile > 0) {
                __pipeline_wait_prior(1);
                __syncthreads();
                out[(tile - 1) * THREADS + id] = 3 * stage[(tile - 1) % 2][THREADS - 1 - id];
                __syncthreads();
            }
        }
    } else if constexpr (kind == 1) { // a pipeline of the block
#pragma nv_diag_suppress static_var_with_dynamic_init
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
        auto pipe = cuda::make_pipeline(block, &state);
        for (int fetch = 0, tile = 0; tile < tiles; tile++) {
            for (; fetch < tiles && fetch < tile + 2; fetch++) {
                pipe.producer_acquire();
                cuda::memcpy_async(block, stage[fetch % 2], in + fetch * THREADS, sizeof(int) * THREADS, pipe);
                pipe.producer_commit();
            }
            pipe.consumer_wait();
            out[tile * THREADS + id] = 3 * stage[tile % 2][THREADS - 1 - id];
            pipe.consumer_release();
        }
    } else if constexpr (kind == 2) { // a pipeline with roles: the first warp copies
#pragma nv_diag_suppress static_var_with_dynamic_init
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
        bool producer = id < 32;
        auto pipe = cuda::make_pipeline(block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
        for (int tile = 0; tile < tiles; tile++) {
            if (producer) {
                pipe.producer_acquire();
                for (int i = id; i < THREADS; i += 32)
                    cuda::memcpy_async(&stage[tile % 2][i], &in[tile * THREADS + i], sizeof(int), pipe);
                pipe.producer_commit();
            } else {
                pipe.consumer_wait();
                for (int i = id - 32; i < THREADS; i += THREADS - 32)
                    out[tile * THREADS + i] = 3 * stage[tile % 2][THREADS - 1 - i];
                pipe.consumer_release();
            }
        }
    } else if constexpr (kind == 3) { // the group's own copies
        for (int tile = 0; tile < tiles; tile++) {
            cg::memcpy_async(block, stage[0], in + tile * THREADS, sizeof(int) * THREADS);
            cg::wait(block);
            out[tile * THREADS + id] = 3 * stage[0][THREADS - 1 - id];
            block.sync();
        }
    } else { // a copy that a barrier waits for
#pragma nv_diag_suppress static_var_with_dynamic_init
        __shared__ cuda::barrier<cuda::thread_scope_block> full;
        if (id == 0)
            init(&full, THREADS);
        block.sync();
        for (int tile = 0; tile < tiles; tile++) {
            cuda::memcpy_async(block, stage[0], in + tile * THREADS, sizeof(int) * THREADS, full);
            full.arrive_and_wait();
            out[tile * THREADS + id] = 3 * stage[0][THREADS - 1 - id];
            block.sync();
        }
    }
}

template <int kind> static int pipeline_test()
{
    enum { TILES = 7 };
    static int in[TILES * THREADS], want[TILES * THREADS];
    for (int i = 0; i < TILES * THREADS; i++)
        in[i] = i * 7 + kind;
    for (int i = 0; i < TILES * THREADS; i++)
        want[i] = 3 * in[i - i % THREADS + THREADS - 1 - i % THREADS];
    int *d_in;
    if (cudaMalloc(&d_in, sizeof(in)) != cudaSuccess || cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice) != cudaSuccess)
        return 1;
    begin();
    pipeline_kernel<kind><<<1, THREADS>>>(d_out, d_in, TILES);
    int bad = end("pipeline", want, TILES * THREADS);
    cudaFree(d_in);
    return bad;
}

static int pipelines()
{
    return pipeline_test<0>() + pipeline_test<1>() + pipeline_test<2>() + pipeline_test<3>() + pipeline_test<4>();
}

// ---- scoped atomics -------------------------------------------------------------------------------------------------

// A lock, a counter, a maximum and a float sum, from every thread of several blocks.
__global__ void atomic_kernel(int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> lock(out[0]), count(out[1]), largest(out[2]);
    cuda::atomic_ref<float, cuda::thread_scope_device> sum(*(float *)&out[3]);
    count.fetch_add(1, cuda::memory_order_relaxed);
    largest.fetch_max((int)(blockIdx.x * blockDim.x + threadIdx.x), cuda::memory_order_relaxed);
    sum.fetch_add(0.5f);
    if (threadIdx.x == 0) {
        int expected = 0;
        while (!lock.compare_exchange_weak(expected, 1, cuda::memory_order_acquire))
            expected = 0;
        out[4]++;
        lock.store(0, cuda::memory_order_release);
    }
}

static int atomics()
{
    float sum = BLOCKS * THREADS * 0.5f;
    int want[5] = {0, BLOCKS * THREADS, BLOCKS * THREADS - 1, 0, BLOCKS};
    memcpy(&want[3], &sum, sizeof(sum));
    begin();
    cudaMemset(d_out, 0, sizeof(int) * 5);
    atomic_kernel<<<BLOCKS, THREADS>>>(d_out);
    return end("atomics", want, 5);
}

// ---- the list -------------------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    int (*run)();
} subjects[] = {{"tiles", tiles},       {"coalesced", coalesced}, {"grid", grid},
                {"barriers", barriers}, {"pipelines", pipelines}, {"atomics", atomics}};
enum { SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

#ifdef NO_CHECK
int main()
{
    int bad = 0;
    for (int i = 0; i < SUBJECTS; i++) {
        int wrong = subjects[i].run();
        printf("%-10s %s\n", subjects[i].name, wrong ? "WRONG" : "right");
        bad += wrong;
    }
    return bad != 0;
}
#else
START_TEST(test_subject)
{
    ck_assert_int_eq(subjects[_i].run(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: groups, barriers, pipelines, atomics");
    TCase *tests = tcase_create("groups");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_loop_test(tests, test_subject, 0, SUBJECTS);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
#endif
