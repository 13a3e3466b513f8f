/* empty.cuh: rung 9. An inbox is full of a word that never travels; what differs from it has arrived. So no byte of the
 * link carries a flag, and 16 bytes go at a time. (FlashInfer and TensorRT-LLM call it a Lamport buffer; they take -0.)
 *
 * The empty word is a NaN. A vector that has it sends another NaN instead. Who has read a word makes it empty again.
 * Each block has a part of the inbox to itself, twice, in turns: a sender that begins call k + 2 has the receiver's part of
 * call k + 1, and the receiver sent that after it had emptied what it read in call k. */
#ifndef EMPTY_CUH
#define EMPTY_CUH

#include "ranks.cuh"

enum : unsigned { EMPTY = 0xffffffffu, OTHER_NAN = 0x7fffffffu };

__device__ static uint4 load_slot(const uint4 *p)
{
    uint4 v;
    asm volatile("ld.relaxed.sys.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
    return v;
}

__device__ static void store_slot(uint4 *p, uint4 v)
{
    asm volatile("st.relaxed.sys.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(p)), "r"(v.x),
                 "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
}

/* Elements 4 q to 4 q + 3 of n; zeros past the end. */
__device__ static float4 load_quad(const float *x, size_t q, size_t n)
{
    if (4 * q + 4 <= n)
        return ((const float4 *)x)[q];
    float4 v = make_float4(x[4 * q], 0, 0, 0);
    if (4 * q + 1 < n)
        v.y = x[4 * q + 1];
    if (4 * q + 2 < n)
        v.z = x[4 * q + 2];
    return v;
}

__device__ static void store_quad(float *x, size_t q, size_t n, float4 v)
{
    if (4 * q + 4 <= n) {
        ((float4 *)x)[q] = v;
        return;
    }
    x[4 * q] = v.x;
    if (4 * q + 1 < n)
        x[4 * q + 1] = v.y;
    if (4 * q + 2 < n)
        x[4 * q + 2] = v.z;
}

__device__ static unsigned sendable(float x)
{
    const unsigned bits = __float_as_uint(x);
    return bits == EMPTY ? (unsigned)OTHER_NAN : bits;
}

/* With `late`, the kernel after this one is set up only now: blocks of many threads would otherwise crowd each other out. */
__device__ static void after_the_kernel_before(bool late)
{
    (void)late;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    if (!late)
        cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    if (late)
        cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* The rank `r` places after mine. A remainder would take longer than all else before the first store. */
__device__ static int rank_after(int mine, int r, int ranks) { return mine + r < ranks ? mine + r : mine + r - ranks; }

/* What has come from another rank; its place is empty again. */
__device__ static float4 take_slot(uint4 *from)
{
    uint4 word;
    do
        word = load_slot(from);
    while (word.x == EMPTY || word.y == EMPTY || word.z == EMPTY || word.w == EMPTY);
    store_slot(from, make_uint4(EMPTY, EMPTY, EMPTY, EMPTY));
    return make_float4(__uint_as_float(word.x), __uint_as_float(word.y), __uint_as_float(word.z),
                       __uint_as_float(word.w));
}

// notes: empty
/* Each thread has ROWS quads. RANKS is 0 for any number of ranks. */
template <int ROWS, int RANKS>
__global__ void __launch_bounds__(EMPTY_THREADS) empty_kernel9(const __grid_constant__ Inboxes v, size_t n)
{
    after_the_kernel_before(ROWS > 1);
    const int ranks = RANKS ? RANKS : v.ranks;
    const unsigned quads = (unsigned)((n + 3) / 4), first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned step = gridDim.x * blockDim.x, place = blockIdx.x * QUADS_PER_BLOCK + threadIdx.x;
    float4 mine[ROWS] = {};
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        if (first + k * step < quads)
            mine[k] = load_quad(v.in, first + k * step, n);
    const unsigned call = *(volatile unsigned *)&v.mine->calls[blockIdx.x]; /* comes while they do */
    const unsigned inbox = (call & 1) * ranks;
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        if (first + k * step < quads) {
            const uint4 word =
                make_uint4(sendable(mine[k].x), sendable(mine[k].y), sendable(mine[k].z), sendable(mine[k].w));
            for (int r = 1; r < ranks; r++)
                store_slot(&v.slots[rank_after(v.rank, r, ranks)][(inbox + v.rank) * SLOTS + place + k * blockDim.x],
                           word);
        }
    __syncthreads(); /* all have read the number of the call */
    if (threadIdx.x == 0)
        v.mine->calls[blockIdx.x] = call + 1;
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        if (first + k * step < quads) {
            float4 sum = make_float4(0, 0, 0, 0);
            for (int r = 0; r < ranks; r++) {
                const float4 next =
                    r == v.rank ? mine[k] : take_slot(&v.slots[v.rank][(inbox + r) * SLOTS + place + k * blockDim.x]);
                sum = r ? make_float4(sum.x + next.x, sum.y + next.y, sum.z + next.z, sum.w + next.w) : next;
            }
            store_quad(v.out, first + k * step, n, sum);
        }
}
// notes end

/* The same for two ranks and a vector of which each thread has one quad: it asks nothing before its first store. */
__global__ void __launch_bounds__(EMPTY_THREADS) empty_pair_kernel9(const __grid_constant__ Inboxes v, size_t n)
{
    (void)n;
    after_the_kernel_before(false);
    const unsigned quad = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 mine = ((const float4 *)v.in)[quad];
    const unsigned call = *(volatile unsigned *)&v.mine->calls[blockIdx.x];
    const unsigned place = (call & 1) * 2 * SLOTS + blockIdx.x * QUADS_PER_BLOCK + threadIdx.x;
    store_slot(&v.slots[1 - v.rank][v.rank * SLOTS + place],
               make_uint4(sendable(mine.x), sendable(mine.y), sendable(mine.z), sendable(mine.w)));
    __syncthreads(); /* all have read the number of the call */
    if (threadIdx.x == 0)
        v.mine->calls[blockIdx.x] = call + 1;
    const float4 other = take_slot(&v.slots[v.rank][(1 - v.rank) * SLOTS + place]);
    const float4 first = v.rank ? other : mine, second = v.rank ? mine : other; /* the same sum on both */
    ((float4 *)v.out)[quad] =
        make_float4(first.x + second.x, first.y + second.y, first.z + second.z, first.w + second.w);
}

/* All-gather: part r of rank r's vector goes to all. Or reduce-scatter: rank r gets part r of all vectors, and adds. Each rank
 * sends as many words to each other one, so that all are in the same call: zeros where a part is shorter. (Of all-gather the
 * empty NaN comes as another NaN.) */
template <bool GATHER>
__global__ void __launch_bounds__(EMPTY_THREADS) half_empty_kernel(const __grid_constant__ Inboxes v, size_t n)
{
    after_the_kernel_before(false);
    const unsigned call = *(volatile unsigned *)&v.mine->calls[blockIdx.x];
    const unsigned quads = (unsigned)((n + 3) / 4), most = (quads + v.ranks - 1) / v.ranks;
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    const unsigned place = blockIdx.x * QUADS_PER_BLOCK + threadIdx.x, inbox = (call & 1) * v.ranks;
    const auto begin = [&](int part) { return quads * (unsigned)part / (unsigned)v.ranks; };
    const auto load = [&](int part, unsigned q) {
        return begin(part) + q < begin(part + 1) ? load_quad(v.in, begin(part) + q, n) : make_float4(0, 0, 0, 0);
    };
    const auto store = [&](int part, unsigned q, float4 x) {
        if (begin(part) + q < begin(part + 1))
            store_quad(v.out, begin(part) + q, n, x);
    };
    for (int k = 0; first + k * step < most; k++)
        for (int r = 1; r < v.ranks; r++) {
            const int to = rank_after(v.rank, r, v.ranks);
            const float4 x = load(GATHER ? v.rank : to, first + k * step);
            store_slot(&v.slots[to][(inbox + v.rank) * SLOTS + place + k * blockDim.x],
                       make_uint4(sendable(x.x), sendable(x.y), sendable(x.z), sendable(x.w)));
        }
    __syncthreads(); /* all have read the number of the call */
    if (threadIdx.x == 0)
        v.mine->calls[blockIdx.x] = call + 1;
    for (int k = 0; first + k * step < most; k++) {
        float4 sum = make_float4(0, 0, 0, 0);
        for (int r = 0; r < v.ranks; r++) {
            const float4 next = r == v.rank ? load(r, first + k * step)
                                            : take_slot(&v.slots[v.rank][(inbox + r) * SLOTS + place + k * blockDim.x]);
            if (GATHER)
                store(r, first + k * step, next);
            else
                sum = r ? make_float4(sum.x + next.x, sum.y + next.y, sum.z + next.z, sum.w + next.w) : next;
        }
        if (!GATHER)
            store(v.rank, first + k * step, sum);
    }
}

#endif
