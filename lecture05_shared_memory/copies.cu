/* How fast can memory be copied, whatever the kernel? y = x, rows of bf16: the ceiling of every kernel that reads a
 * tensor and writes another, as norms and scans do. What a ladder cannot reach is shown here, not claimed.
 *
 * A copy has no arithmetic and no dependences. What is left to choose: how many bytes an instruction moves, how many
 * are in flight per thread, whether blocks come and go or stay, hints to the caches, and the copy engine.
 *
 *   rung                    idea                                                                 ./run copies --rung N
 *   1  2 bytes per thread   one element per thread: a warp asks for 64 bytes at a time
 *   2  16 bytes per thread  a warp asks for 512
 *   3  one block per row    the grid of norms' rung 3: a row's loads, all of them, and then its stores
 *   4  streaming hints      the same: what is read and written is not needed again (ld.global.cs, st.global.cs)
 *   5  persistent blocks    as many as fit, row after row
 *   6  ring of tiles        bulk copies into shared memory and out of it, ordered by one thread per block
 *   7  cudaMemcpyAsync      NVIDIA's
 */
#include "lab.h"

#include "hopper.cuh"

typedef struct Copy {
    const uint4 *x;
    uint4 *y;
    size_t rows, vectors; /* of 16 bytes, a row */
} Copy;
typedef void Launch(const Copy *c, cudaStream_t stream);

enum { THREADS = 256, EACH = 4 /* vectors per thread: rows of up to 8192 elements */ };

static void copy_cpu(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = lab_get(c->h_in[0], c->type, i);
}

/* 1 and 2 */
template <typename T> __global__ void copy_kernel(const T *x, T *y, size_t count)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        y[i] = x[i];
}

template <typename T> static void copy1(const Copy *c, cudaStream_t stream)
{
    const size_t count = c->rows * c->vectors * (16 / sizeof(T));
    const unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);
    copy_kernel<<<blocks, THREADS, 0, stream>>>((const T *)c->x, (T *)c->y, count);
}

template <bool HINTS> __device__ static uint4 fetch(const uint4 *p)
{
    if (HINTS)
        return __ldcs(p);
    return *p;
}
template <bool HINTS> __device__ static void store(uint4 *p, uint4 v)
{
    if (HINTS)
        __stcs(p, v);
    else
        *p = v;
}

/* 3, 4 and 5: a block does rows blockIdx.x, + gridDim.x, ... All loads of a row are on their way before the first
 * store. */
template <bool HINTS> __global__ void __launch_bounds__(THREADS) copy_rows(Copy c)
{
    for (size_t r = blockIdx.x; r < c.rows; r += gridDim.x) {
        const uint4 *x = c.x + r * c.vectors;
        uint4 *y = c.y + r * c.vectors, v[EACH];
        if (c.vectors == THREADS * EACH) {
#pragma unroll
            for (int e = 0; e < EACH; e++)
                v[e] = fetch<HINTS>(x + e * THREADS + threadIdx.x);
#pragma unroll
            for (int e = 0; e < EACH; e++)
                store<HINTS>(y + e * THREADS + threadIdx.x, v[e]);
        } else {
            for (size_t i = threadIdx.x; i < c.vectors; i += THREADS)
                store<HINTS>(y + i, fetch<HINTS>(x + i));
        }
    }
}

template <bool HINTS> static void copy3(const Copy *c, cudaStream_t stream)
{
    copy_rows<HINTS><<<(unsigned)c->rows, THREADS, 0, stream>>>(*c);
}

static unsigned multiprocessors(void)
{
    int count = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return (unsigned)count;
}

static void copy5(const Copy *c, cudaStream_t stream)
{
    int each = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, copy_rows<false>, THREADS, 0));
    const unsigned resident = multiprocessors() * (unsigned)each;
    const unsigned blocks = c->rows < resident ? (unsigned)c->rows : resident;
    copy_rows<false><<<blocks, THREADS, 0, stream>>>(*c);
}

/* Stores contiguous bytes from shared memory, as bulk_load() brings them; the store joins the thread's stores, as
 * tma_store() does. Addresses and `bytes` are multiples of 16. */
__device__ __forceinline__ void bulk_store(void *to, uint32_t smem, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(smem), "r"(bytes)
                 : "memory");
}

enum { STAGES = 6, TILE = 32768 /* bytes */ };

/* 6: a tile is stored from where it landed. Its place is free as soon as the copy engine has read it: that is asked of
 * the tile before, so that a store and STAGES - 1 loads are always on their way. */
__global__ void copy_ring(const char *x, char *y, size_t bytes)
{
#ifdef HOPPER_CODE
    extern __shared__ __align__(128) uint4 copy_tiles[];
    __shared__ uint64_t full[STAGES];
    if (threadIdx.x == 0) {
        const uint32_t tiles = shared_address(copy_tiles);
        const size_t number = (bytes + TILE - 1) / TILE;
        const int rounds = (int)((number - blockIdx.x + gridDim.x - 1) / gridDim.x);
        const auto begin = [&](int round) { return ((size_t)round * gridDim.x + blockIdx.x) * TILE; };
        const auto size = [&](int round) { return (uint32_t)min(bytes - begin(round), (size_t)TILE); };
        const auto load = [&](int round) {
            const uint32_t bar = shared_address(&full[round % STAGES]);
            mbarrier_arrive_expect(bar, size(round));
            bulk_load(tiles + round % STAGES * TILE, x + begin(round), size(round), bar);
        };
        for (int i = 0; i < STAGES; i++)
            mbarrier_init(shared_address(&full[i]), 1);
        mbarrier_init_fence();
        for (int r = 0; r < STAGES - 1 && r < rounds; r++)
            load(r);
        for (int r = 0; r < rounds; r++) {
            mbarrier_wait(shared_address(&full[r % STAGES]), r / STAGES & 1);
            bulk_store(y + begin(r), tiles + r % STAGES * TILE, size(r));
            tma_store_commit();
            tma_store_wait_read<1>();
            if (r + STAGES - 1 < rounds)
                load(r + STAGES - 1);
        }
        tma_store_wait_read<0>();
    }
#endif
}

static void copy6(const Copy *c, cudaStream_t stream)
{
    const char *why = hopper_here();
    if (why) {
        lab_skip("%s", why);
        return;
    }
    const size_t bytes = c->rows * c->vectors * 16, number = (bytes + TILE - 1) / TILE;
    CUDA_CHECK(cudaFuncSetAttribute((const void *)copy_ring, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)(STAGES * TILE)));
    const unsigned blocks = number < multiprocessors() ? (unsigned)number : multiprocessors();
    copy_ring<<<blocks, 32, STAGES * TILE, stream>>>((const char *)c->x, (char *)c->y, bytes);
}

static void copy7(const Copy *c, cudaStream_t stream)
{
    CUDA_CHECK(cudaMemcpyAsync(c->y, c->x, c->rows * c->vectors * 16, cudaMemcpyDeviceToDevice, stream));
}

static const LabRung rungs[] = {
    {1, "2 bytes per thread", LAB_LAUNCH(Launch, copy1<unsigned short>), LAB_BF16, 0, 0},
    {2, "16 bytes per thread", LAB_LAUNCH(Launch, copy1<uint4>), LAB_BF16, 0, 0},
    {3, "one block per row", LAB_LAUNCH(Launch, copy3<false>), LAB_BF16, 0, 0},
    {4, "streaming hints", LAB_LAUNCH(Launch, copy3<true>), LAB_BF16, 0, 0},
    {5, "persistent blocks", LAB_LAUNCH(Launch, copy5), LAB_BF16, 0, 0},
    {6, "ring of tiles", LAB_LAUNCH(Launch, copy6), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {7, "cudaMemcpyAsync", LAB_LAUNCH(Launch, copy7), LAB_BF16, LAB_VENDOR, 0},
};

static const char *setup(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    if (cols % 8)
        return "rows are whole 16-byte vectors: columns a multiple of 8";
    if (rows > INT32_MAX || rows * cols > (size_t)INT32_MAX * THREADS)
        return "at most 2^31 - 1 rows, and as many blocks of 256 elements";
    lab_input(c, 0, rows * cols, LAB_BF16);
    lab_output(c, rows * cols, LAB_BF16);
    lab_fill_uniform(c, 0, -1, 1);
    c->out_width = cols;
    c->atol = c->rtol = 0; /* every bit */
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const Copy copy = {(const uint4 *)c->in[0], (uint4 *)c->out, c->dim[0], c->dim[1] / 8};
    if (c->out_count > 0)
        ((Launch *)r->launch)(&copy, c->stream);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 12,
    .name = "copies",
    .title = "every way to copy memory: the ceiling of norms and scans",
    .page = "transformer.md",
    .look = "Rung 1 has too few bytes in flight. The plain way of rung 2 is the fastest: one block per row,\n"
            "persistent blocks, cache hints and the copy engine all cost something on an H200.",
    .dims = "rows cols",
    .size = "16384x8192 65536x8192",
    .cpu_size = "64x1024",
    .test_sizes = "0x8 1x8 3x24 7x1000 5x8192 300x64 40x2056 100x8192",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = copy_cpu,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
