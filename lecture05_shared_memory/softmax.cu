/* Softmax along rows: y[c] = exp(x[c] - max) / sum of exp(x[.] - max).
 *
 * x and y are rows x cols, fp32 or bf16, row-major; all arithmetic is fp32. Read x once and write y once, and a copy is
 * the ceiling. The obstacle: the maximum of a row and its sum must be known before its first result is.
 *
 *   rung                     idea                                                             ./run softmax --rung N
 *   1  three passes          one thread per row: maximum, sum, result; neighbouring threads read `cols` apart
 *   2  online                two passes: the sum is rescaled whenever the maximum grows
 *   3  one warp per row      now coalesced; 32 pairs (maximum, sum) merged by shuffles
 *   4  one block per row     enough threads for long rows; pairs of warps merged through shared memory
 *   5  row in shared memory  the second pass reads shared memory: x is read once
 *   6  row in registers      16-byte loads; a thread keeps its elements' exponentials: exp once each
 *   7  registers and shared  rows of up to 256 KB in one multiprocessor; cp.async keeps the copies out of the registers
 *   8  row over a cluster    up to 8 blocks share a row too long for one, and each other's shared memory (Hopper)
 *
 * -inf is an ordinary input (a mask): its result is 0. A row of nothing but -inf is 0/0, NaN, as in PyTorch. The trap
 * is in between: a thread or warp may see only -inf while the row holds more, and exp(-inf - -inf) is NaN.
 *
 * The online rule is Milakov and Gimelshein's, "Online normalizer calculation for softmax", arXiv:1805.02867.
 */
#include "ceil_div.cuh"
#include "lab.h"
#include "ptx.cuh"

#include <cuda_bf16.h>
#include <math.h>
#include <string.h>

#include <cooperative_groups.h>

typedef void Softmax(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream);

static void softmax_cpu(LabCase *c)
{
    size_t rows = c->dim[0], cols = c->dim[1];
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) {
        double *y = c->expect + r * cols, max = -INFINITY, sum = 0;
        if (!lab_sample_row(r, rows, 30.0 * (double)cols)) {
            for (size_t i = 0; i < cols; i++)
                y[i] = lab_unchecked();
            continue;
        }
        for (size_t i = 0; i < cols; i++) {
            y[i] = lab_get(c->h_in[0], c->in_type[0], r * cols + i);
            max = fmax(max, y[i]);
        }
        for (size_t i = 0; i < cols; i++)
            sum += y[i] = exp(y[i] - max);
        for (size_t i = 0; i < cols; i++)
            y[i] /= sum;
    }
}

__device__ static float load(const float *p) { return *p; }
__device__ static float load(const __nv_bfloat16 *p) { return __bfloat162float(*p); }
__device__ static void store(float *p, float v) { *p = v; }
__device__ static void store(__nv_bfloat16 *p, float v) { *p = __float2bfloat16(v); }

/* 1: exp(x - max) is computed twice, and x is read three times. */
template <typename T> __global__ void softmax_kernel1(const T *x, T *y, size_t rows, size_t cols)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    x += row * cols;
    y += row * cols;
    float max = -INFINITY, sum = 0;
    for (size_t i = 0; i < cols; i++)
        max = fmaxf(max, load(x + i));
    for (size_t i = 0; i < cols; i++)
        sum += __expf(load(x + i) - max);
    for (size_t i = 0; i < cols; i++)
        store(y + i, __expf(load(x + i) - max) / sum);
}

template <typename T> static void softmax1(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    softmax_kernel1<<<(unsigned)ceil_div(rows, 128), 128, 0, stream>>>((const T *)x, (T *)y, rows, cols);
}

// notes: pair
/* The state of an online softmax: the maximum so far, and the sum of exp(x - max). Of nothing: (-inf, 0). */
typedef struct Pair {
    float max, sum;
} Pair;

__device__ static Pair pair_of_nothing(void) { return Pair{-INFINITY, 0}; }

__device__ static Pair add(Pair p, float x)
{
    if (x > p.max)
        return Pair{x, p.sum * __expf(p.max - x) + 1};
    if (x != -INFINITY) /* else x adds nothing; and if max is -inf too, exp(x - max) would be NaN */
        p.sum += __expf(x - p.max);
    return p;
}
// notes end

/* exp(part - whole): what a part's sum must be multiplied by. An empty part counts nothing, whatever the whole is. */
__device__ static float rescale(float part, float whole) { return part == -INFINITY ? 0 : __expf(part - whole); }

/* 2 */
template <typename T> __global__ void softmax_kernel2(const T *x, T *y, size_t rows, size_t cols)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    x += row * cols;
    y += row * cols;
    Pair p = pair_of_nothing();
    for (size_t i = 0; i < cols; i++)
        p = add(p, load(x + i));
    for (size_t i = 0; i < cols; i++)
        store(y + i, __expf(load(x + i) - p.max) / p.sum);
}

template <typename T> static void softmax2(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    softmax_kernel2<<<(unsigned)ceil_div(rows, 128), 128, 0, stream>>>((const T *)x, (T *)y, rows, cols);
}

/* The pair of the whole warp, in every lane. Two pairs become one by m = max(m1, m2), s = s1 exp(m1 - m) + s2 exp(m2 -
 * m); done pair by pair that is two exponentials per step. It is cheaper to agree on the maximum first: then each lane
 * corrects its sum once, and the sums only add. */
__device__ static Pair warp_merge(Pair p)
{
    float max = p.max;
    for (int step = 1; step < 32; step *= 2) /* after it each lane knows the maximum of its group of 2 step lanes */
        max = fmaxf(max, __shfl_xor_sync(0xffffffffu, max, step));
    float sum = p.sum * rescale(p.max, max);
    for (int step = 1; step < 32; step *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    return Pair{max, sum};
}

/* 3: eight warps per block, a row each. */
template <typename T> __global__ void softmax_kernel3(const T *x, T *y, size_t rows, size_t cols)
{
    size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    unsigned lane = threadIdx.x % 32;
    if (row >= rows) /* a whole warp or none of it */
        return;
    x += row * cols;
    y += row * cols;
    Pair p = pair_of_nothing();
    for (size_t i = lane; i < cols; i += 32)
        p = add(p, load(x + i));
    p = warp_merge(p);
    float scale = 1 / p.sum;
    for (size_t i = lane; i < cols; i += 32)
        store(y + i, __expf(load(x + i) - p.max) * scale);
}

template <typename T> static void softmax3(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    softmax_kernel3<<<(unsigned)ceil_div(rows, 8), 256, 0, stream>>>((const T *)x, (T *)y, rows, cols);
}

/* The pair of the whole block, in every thread. `s` is shared, one pair per warp (at most 32 of them). */
__device__ static Pair block_merge(Pair p, Pair *s)
{
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    p = warp_merge(p);
    if (lane == 0)
        s[warp] = p;
    __syncthreads();
    return warp_merge(lane < warps ? s[lane] : pair_of_nothing());
}

/* 4 */
template <typename T> __global__ void softmax_kernel4(const T *x, T *y, size_t cols)
{
    __shared__ Pair s[32];
    x += blockIdx.x * cols;
    y += blockIdx.x * cols;
    Pair p = pair_of_nothing();
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
        p = add(p, load(x + i));
    p = block_merge(p, s);
    float scale = 1 / p.sum;
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
        store(y + i, __expf(load(x + i) - p.max) * scale);
}

template <typename T> static void softmax4(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    softmax_kernel4<<<(unsigned)rows, 512, 0, stream>>>((const T *)x, (T *)y, cols);
}

/* 5 */
template <typename T> __global__ void softmax_kernel5(const T *x, T *y, size_t cols)
{
    extern __shared__ float row[]; /* cols */
    __shared__ Pair s[32];
    x += blockIdx.x * cols;
    y += blockIdx.x * cols;
    Pair p = pair_of_nothing();
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x) {
        float v = load(x + i);
        row[i] = v; /* read again by the same thread only: no barrier is needed for it */
        p = add(p, v);
    }
    p = block_merge(p, s);
    float scale = 1 / p.sum;
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
        store(y + i, __expf(row[i] - p.max) * scale);
}

template <typename T> static void softmax5(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    size_t bytes = cols * sizeof(float); /* above 48 KB the host must allow it */
    CUDA_CHECK(cudaFuncSetAttribute(softmax_kernel5<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    softmax_kernel5<<<(unsigned)rows, 512, bytes, stream>>>((const T *)x, (T *)y, cols);
}

/* ---- 16 bytes at a time: 4 floats or 8 bf16 -------------------------------------------------------------------- */

template <typename T> struct Vector;

template <> struct Vector<float> {
    enum { COUNT = 4 };
    float4 bits;
    __device__ void get(float v[4]) const { v[0] = bits.x, v[1] = bits.y, v[2] = bits.z, v[3] = bits.w; }
    __device__ void set(const float v[4]) { bits = make_float4(v[0], v[1], v[2], v[3]); }
};

template <> struct Vector<__nv_bfloat16> {
    enum { COUNT = 8 };
    uint4 bits;
    /* A bf16 is the upper half of a float. */
    __device__ static void get2(unsigned u, float *v)
    {
        v[0] = __uint_as_float(u << 16), v[1] = __uint_as_float(u & 0xffff0000u);
    }
    __device__ static unsigned set2(const float *v)
    {
        __nv_bfloat162 pair = __floats2bfloat162_rn(v[0], v[1]); /* one instruction for two */
        unsigned u;
        memcpy(&u, &pair, sizeof u);
        return u;
    }
    __device__ void get(float v[8]) const
    {
        get2(bits.x, v), get2(bits.y, v + 2), get2(bits.z, v + 4), get2(bits.w, v + 6);
    }
    __device__ void set(const float v[8]) { bits = make_uint4(set2(v), set2(v + 2), set2(v + 4), set2(v + 6)); }
};

enum { MAX_THREADS = 512, VALUES = 32 }; /* a block holds up to 512 x 32 values; more a thread would spill */

/* 2^x in one instruction. A result too small for a normal float becomes 0, which does no harm here; __expf keeps it
 * (unless all is compiled with -ftz=true), at the price of three more instructions on every call. */
__device__ static float exp2_flushed(float x)
{
#ifdef __CUCC__
    return exp2f(x);
#else
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
#endif
}

#define LOG2_E 1.44269504f
__device__ static float exp_flushed(float x) { return exp2_flushed(x * LOG2_E); }

/* The pair of the warp from the warp's maximum: every exponential is taken once, against the warp's own maximum, so
 * that one exchange over the block is enough; the factor that corrects it is the same for all of a warp's elements. */
template <int EACH, int COUNT> __device__ static Pair warp_exponentials(float (&v)[EACH][COUNT])
{
    float max = -INFINITY, sum = 0;
#pragma unroll
    for (int e = 0; e < EACH; e++)
#pragma unroll
        for (int j = 0; j < COUNT; j++)
            max = fmaxf(max, v[e][j]);
    for (int step = 1; step < 32; step *= 2)
        max = fmaxf(max, __shfl_xor_sync(0xffffffffu, max, step));
    float subtract = max == -INFINITY ? 0 : max; /* only -inf in this warp: all become exp(-inf) = 0 */
#pragma unroll
    for (int e = 0; e < EACH; e++)
#pragma unroll
        for (int j = 0; j < COUNT; j++)
            sum += v[e][j] = exp_flushed(v[e][j] - subtract);
    for (int step = 1; step < 32; step *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    return Pair{max, sum};
}

/* Is vector i of this row, or of this part of one? Where rows fill every place the test costs nothing: a branch
 * around each load would keep them from being issued together. */
template <bool WHOLE> __device__ static bool exists(int i, int vectors) { return WHOLE || i < vectors; }

/* 6: EACH vectors per thread. All loads are issued before the first is used: 128 bytes per thread on their way. WHOLE:
 * the row is EACH vectors for each of MAX_THREADS threads. */
template <typename T, int EACH, bool WHOLE>
__global__ void __launch_bounds__(MAX_THREADS) softmax_kernel6(const T *x, T *y, size_t cols)
{
    constexpr int COUNT = Vector<T>::COUNT;
    __shared__ Pair s[32];
    int t = threadIdx.x, threads = WHOLE ? (int)MAX_THREADS : (int)blockDim.x, vectors = (int)(cols / COUNT);
    int warp = t / 32, lane = t % 32, warps = threads / 32;
    const Vector<T> *from = (const Vector<T> *)(x + blockIdx.x * cols);
    Vector<T> *to = (Vector<T> *)(y + blockIdx.x * cols), loaded[EACH];
    float v[EACH][COUNT];
#pragma unroll
    for (int e = 0; e < EACH; e++)
        if (exists<WHOLE>(e * threads + t, vectors))
            loaded[e] = from[e * threads + t];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        if (exists<WHOLE>(e * threads + t, vectors))
            loaded[e].get(v[e]);
        else
            for (int j = 0; j < COUNT; j++)
                v[e][j] = -INFINITY;
    }
    Pair mine = warp_exponentials(v);
    if (lane == 0)
        s[warp] = mine;
    __syncthreads();
    Pair all = warp_merge(lane < warps ? s[lane] : pair_of_nothing());
    float scale = rescale(mine.max, all.max) / all.sum;
#pragma unroll
    for (int e = 0; e < EACH; e++) {
#pragma unroll
        for (int j = 0; j < COUNT; j++)
            v[e][j] *= scale;
        loaded[e].set(v[e]);
        if (exists<WHOLE>(e * threads + t, vectors))
            to[e * threads + t] = loaded[e];
    }
}

static unsigned threads_for(size_t vectors, size_t each)
{
    return (unsigned)(ceil_div(ceil_div(vectors, each), 32) * 32);
}

template <typename T> static void softmax6(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    size_t vectors = cols / Vector<T>::COUNT;
    const T *from = (const T *)x;
    T *to = (T *)y;
    constexpr int MOST = VALUES / Vector<T>::COUNT; /* 8 vectors of floats, 4 of bf16 */
    if (vectors == MOST * MAX_THREADS)
        softmax_kernel6<T, MOST, true><<<(unsigned)rows, MAX_THREADS, 0, stream>>>(from, to, cols);
    else if (vectors <= MAX_THREADS)
        softmax_kernel6<T, 1, false><<<(unsigned)rows, threads_for(vectors, 1), 0, stream>>>(from, to, cols);
    else if (vectors <= 2 * MAX_THREADS)
        softmax_kernel6<T, 2, false><<<(unsigned)rows, threads_for(vectors, 2), 0, stream>>>(from, to, cols);
    else if (vectors <= 4 * MAX_THREADS)
        softmax_kernel6<T, 4, false><<<(unsigned)rows, threads_for(vectors, 4), 0, stream>>>(from, to, cols);
    else
        softmax_kernel6<T, MOST, false><<<(unsigned)rows, threads_for(vectors, MOST), 0, stream>>>(from, to, cols);
}

/* 7: a row of up to 256 KB in one multiprocessor: 64 KB of it in registers, the rest, up to 192 KB, in shared memory.
 * What goes there is copied by cp.async, past the registers, and asked for before anything is waited for. Each thread
 * reads only what it copied itself, so no barrier is needed for it. There are not registers enough to keep exponentials
 * (twice the bytes of bf16): the elements are kept as they came, and exp is taken once for the sum, once for the
 * result. */
enum { BIG_THREADS = 1024, IN_REGISTERS = 4, IN_SHARED = 12 };

template <typename T> __device__ static Pair add_vector(Pair p, const Vector<T> &vector)
{
    constexpr int COUNT = Vector<T>::COUNT;
    float v[COUNT], max = p.max;
    vector.get(v);
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        max = fmaxf(max, v[j]);
    float subtract = max == -INFINITY ? 0 : max, sum = p.sum * exp_flushed(p.max - subtract);
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        sum += exp_flushed(v[j] - subtract);
    return Pair{max, sum};
}

template <typename T> __device__ static Vector<T> result(Vector<T> vector, float max, float log2_sum)
{
    constexpr int COUNT = Vector<T>::COUNT;
    float v[COUNT];
    vector.get(v);
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        v[j] = exp2_flushed((v[j] - max) * LOG2_E - log2_sum); /* the division is done in the exponent */
    vector.set(v);
    return vector;
}

template <typename T, bool WHOLE>
__global__ void __launch_bounds__(BIG_THREADS, 1) softmax_kernel7(const T *x, T *y, size_t cols)
{
    /* as many vectors as the row has beyond IN_REGISTERS * BIG_THREADS */
    extern __shared__ __align__(128) float4 kept_bytes[];
    __shared__ Pair s[32];
    Vector<T> *kept = (Vector<T> *)kept_bytes;
    int t = threadIdx.x, vectors = (int)(cols / Vector<T>::COUNT);
    const Vector<T> *from = (const Vector<T> *)(x + blockIdx.x * cols);
    Vector<T> *to = (Vector<T> *)(y + blockIdx.x * cols), loaded[IN_REGISTERS];
#pragma unroll
    for (int i = 0; i < IN_SHARED; i++)
        if (exists<WHOLE>((IN_REGISTERS + i) * BIG_THREADS + t, vectors))
            cp_async_16(&kept[i * BIG_THREADS + t], &from[(IN_REGISTERS + i) * BIG_THREADS + t]);
    cp_async_commit();
#pragma unroll
    for (int i = 0; i < IN_REGISTERS; i++)
        if (exists<WHOLE>(i * BIG_THREADS + t, vectors))
            loaded[i] = from[i * BIG_THREADS + t];
    Pair p = pair_of_nothing();
#pragma unroll
    for (int i = 0; i < IN_REGISTERS; i++)
        if (exists<WHOLE>(i * BIG_THREADS + t, vectors))
            p = add_vector(p, loaded[i]);
    cp_async_wait<0>();
#pragma unroll 4
    for (int i = 0; i < IN_SHARED; i++)
        if (exists<WHOLE>((IN_REGISTERS + i) * BIG_THREADS + t, vectors))
            p = add_vector(p, kept[i * BIG_THREADS + t]);
    p = block_merge(p, s);
    float log2_sum = log2f(p.sum);
#pragma unroll
    for (int i = 0; i < IN_REGISTERS; i++)
        if (exists<WHOLE>(i * BIG_THREADS + t, vectors))
            to[i * BIG_THREADS + t] = result(loaded[i], p.max, log2_sum);
#pragma unroll 4
    for (int i = 0; i < IN_SHARED; i++)
        if (exists<WHOLE>((IN_REGISTERS + i) * BIG_THREADS + t, vectors))
            to[(IN_REGISTERS + i) * BIG_THREADS + t] = result(kept[i * BIG_THREADS + t], p.max, log2_sum);
}

/* How many vectors of shared memory a thread needs for a row. */
static int shared_vectors(size_t cols, size_t count)
{
    size_t each = ceil_div(cols / count, BIG_THREADS);
    return each > IN_REGISTERS ? (int)(each - IN_REGISTERS) : 0;
}

template <typename T> static void softmax7(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    size_t bytes = (size_t)shared_vectors(cols, Vector<T>::COUNT) * BIG_THREADS * 16;
    bool whole = cols / Vector<T>::COUNT == (IN_REGISTERS + IN_SHARED) * BIG_THREADS;
    void (*kernel)(const T *, T *, size_t) = whole ? softmax_kernel7<T, true> : softmax_kernel7<T, false>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    kernel<<<(unsigned)rows, BIG_THREADS, bytes, stream>>>((const T *)x, (T *)y, cols);
}

/* 8: rung 7 for a part of the row. The blocks of a cluster run at once and can write into each other's shared memory:
 * each sends its pair to all. But only once they have begun: the memory of a block that has not yet started is not its
 * own (compute-sanitizer --tool racecheck found that here). Blocks of 512 threads and 128 KB, so that two fit a
 * multiprocessor and one loads while the other stores. As few blocks per cluster as can be: it starts only when all of
 * them have a place, and its barrier waits for the slowest. (Parts in registers alone, 8 blocks of 64 KB or 4 of 128
 * KB, are slower: more blocks, or one at a time.) */
enum { MAX_BLOCKS = 8, PART_THREADS = 512, PART = (IN_REGISTERS + IN_SHARED) * PART_THREADS };

template <typename T, bool WHOLE>
__global__ void __launch_bounds__(PART_THREADS, 2) softmax_kernel8(const T *x, T *y, size_t cols, int blocks)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) float4 kept_bytes[]; /* IN_SHARED * PART_THREADS vectors */
    __shared__ Pair s[32], of_block[MAX_BLOCKS];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    Vector<T> *kept = (Vector<T> *)kept_bytes;
    int t = threadIdx.x, lane = t % 32, rank = cluster.block_rank();
    cluster.barrier_arrive(); /* this block has begun: waited for below, before anyone writes into its memory */
    int vectors = (int)(cols / Vector<T>::COUNT) - rank * PART; /* from here to the row's end; may be negative */
    const Vector<T> *from = (const Vector<T> *)(x + blockIdx.x / blocks * cols) + rank * PART;
    Vector<T> *to = (Vector<T> *)(y + blockIdx.x / blocks * cols) + rank * PART, loaded[IN_REGISTERS];
#pragma unroll
    for (int i = 0; i < IN_SHARED; i++)
        if (exists<WHOLE>((IN_REGISTERS + i) * PART_THREADS + t, vectors))
            cp_async_16(&kept[i * PART_THREADS + t], &from[(IN_REGISTERS + i) * PART_THREADS + t]);
    cp_async_commit();
#pragma unroll
    for (int i = 0; i < IN_REGISTERS; i++)
        if (exists<WHOLE>(i * PART_THREADS + t, vectors))
            loaded[i] = from[i * PART_THREADS + t];
    Pair p = pair_of_nothing();
#pragma unroll
    for (int i = 0; i < IN_REGISTERS; i++)
        if (exists<WHOLE>(i * PART_THREADS + t, vectors))
            p = add_vector(p, loaded[i]);
    cp_async_wait<0>();
#pragma unroll 4
    for (int i = 0; i < IN_SHARED; i++)
        if (exists<WHOLE>((IN_REGISTERS + i) * PART_THREADS + t, vectors))
            p = add_vector(p, kept[i * PART_THREADS + t]);
    p = block_merge(p, s);
    cluster.barrier_wait();
    if (t < blocks)
        *cluster.map_shared_rank(&of_block[rank], t) = p;
    cluster.sync(); /* after this no block touches another's memory: each may end when it likes */
    p = warp_merge(lane < blocks ? of_block[lane] : pair_of_nothing());
    float log2_sum = log2f(p.sum);
#pragma unroll
    for (int i = 0; i < IN_REGISTERS; i++)
        if (exists<WHOLE>(i * PART_THREADS + t, vectors))
            to[i * PART_THREADS + t] = result(loaded[i], p.max, log2_sum);
#pragma unroll 4
    for (int i = 0; i < IN_SHARED; i++)
        if (exists<WHOLE>((IN_REGISTERS + i) * PART_THREADS + t, vectors))
            to[(IN_REGISTERS + i) * PART_THREADS + t] = result(kept[i * PART_THREADS + t], p.max, log2_sum);
#endif
}

template <typename T> static void softmax8(const void *x, void *y, size_t rows, size_t cols, cudaStream_t stream)
{
    unsigned blocks = 1;
    while (blocks < MAX_BLOCKS && (size_t)blocks * PART * Vector<T>::COUNT < cols)
        blocks *= 2;
    size_t bytes = (size_t)IN_SHARED * PART_THREADS * 16;
    bool whole = cols / Vector<T>::COUNT == (size_t)blocks * PART;
    void (*kernel)(const T *, T *, size_t, int) = whole ? softmax_kernel8<T, true> : softmax_kernel8<T, false>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)rows * blocks);
    config.blockDim = dim3(PART_THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, (const T *)x, (T *)y, cols, (int)blocks));
}

#define BOTH(number, name, launch, flags)                                                                              \
    {number, name, LAB_LAUNCH(Softmax, launch<float>), LAB_F32, flags, 0},                                             \
    {                                                                                                                  \
        number, name, LAB_LAUNCH(Softmax, launch<__nv_bfloat16>), LAB_BF16, flags, 0                                   \
    }

static const LabRung rungs[] = {
    BOTH(1, "three passes", softmax1, 0),
    BOTH(2, "online", softmax2, 0),
    BOTH(3, "one warp per row", softmax3, 0),
    BOTH(4, "one block per row", softmax4, 0),
    BOTH(5, "row in shared memory", softmax5, 0),
    BOTH(6, "row in registers", softmax6, 0),
    BOTH(7, "registers and shared", softmax7, LAB_NEEDS_SM80),
    BOTH(8, "row over a cluster", softmax8, LAB_NEEDS_SM90A),
};

/* For softmax_pytorch.py, through ctypes: one rung on device memory, asynchronous on `stream`. */
extern "C" void softmax_rung(int number, int bf16, const void *x, void *y, size_t rows, size_t cols,
                             cudaStream_t stream)
{
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number && (rungs[i].type == LAB_BF16) == bf16)
            ((Softmax *)rungs[i].launch)(x, y, rows, cols, stream);
}

static const char *setup(LabCase *c)
{
    size_t rows = c->dim[0], cols = c->dim[1];
    if (rows > INT32_MAX / MAX_BLOCKS)
        return "at most 2^28 rows: a row takes up to 8 blocks of the grid";
    if (cols > INT32_MAX)
        return "cols must fit 31 bits";
    lab_input(c, 0, rows * cols, c->type);
    lab_output(c, rows * cols, c->type);
    lab_fill_uniform(c, 0, -6, 6);
    /* Rows that break careless kernels: a few masked elements, one element left, none left, and a maximum whose
     * exponential overflows. The row with none left is NaN. */
    for (size_t r = 0; r < rows && r < 64; r++)
        for (size_t i = 0; i < cols; i++) {
            if (r % 8 == 1 && random_u64(c->seed + 1, r * cols + i) % 3 == 0)
                lab_set(c->h_in[0], c->type, r * cols + i, -INFINITY);
            if (r % 8 == 2 && i != cols / 2)
                lab_set(c->h_in[0], c->type, r * cols + i, -INFINITY);
            if (r == 3)
                lab_set(c->h_in[0], c->type, r * cols + i, -INFINITY);
            if (r % 8 == 4)
                lab_set(c->h_in[0], c->type, r * cols + i, 1000 + lab_get(c->h_in[0], c->type, r * cols + i));
            if (r % 8 == 5 && i < cols / 2) /* the left half masked: whole warps and blocks see nothing */
                lab_set(c->h_in[0], c->type, r * cols + i, -INFINITY);
        }
    c->out_width = cols;
    c->atol = 1e-30;
    /* Half a unit in the last place of bf16 is 2^-9. And one thread that adds `cols` terms one by one (rungs 1 and 2)
     * rounds, in the end, terms of 1e-5 of the sum: a warp's or a block's shorter sums are a hundred times better. */
    c->rtol = (c->type == LAB_F32 ? 2e-5 : 4e-3) + 2.5e-9 * (double)cols;
    return NULL;
}

static size_t shared_limit(void)
{
    int bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return (size_t)bytes;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    size_t cols = c->dim[1], count = c->type == LAB_F32 ? 4 : 8;
    if (r->number <= 2 && cols > 32768)
        return "one thread that adds so many terms one by one loses too many digits";
    if (r->number == 5 && cols * sizeof(float) + 1024 > shared_limit())
        return "the row does not fit a block's shared memory";
    if (r->number >= 6 && cols % count)
        return "rows must be whole 16-byte vectors: columns a multiple of 4 (fp32) or 8 (bf16)";
    if (r->number == 6 && cols > MAX_THREADS * VALUES)
        return "the row does not fit a block's registers";
    if (r->number == 7 && (cols > (IN_REGISTERS + IN_SHARED) * BIG_THREADS * count ||
                           (size_t)shared_vectors(cols, count) * BIG_THREADS * 16 + 1024 > shared_limit()))
        return "the row does not fit a multiprocessor's registers and shared memory";
    if (r->number == 8 && cols > (size_t)MAX_BLOCKS * PART * count)
        return "the row does not fit 8 blocks";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return;
    ((Softmax *)r->launch)(c->in[0], c->out, c->dim[0], c->dim[1], c->stream);
}

static double bytes(const LabCase *c)
{
    return 2.0 * (double)lab_type_bytes(c->type) * (double)c->dim[0] * (double)c->dim[1];
}
/* A comparison, a subtraction, an exponential (as one), an addition and a product, an element. */
static double flops(const LabCase *c) { return 5.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 5,
    .name = "softmax",
    .title = "read once, write once, and know the row's maximum in between",
    .look = "How often does a rung read x, and do neighbouring threads read neighbouring elements? From rung 5\n"
            "on x is read once, from rung 6 on 16 bytes at a time. Long rows need a whole multiprocessor (7) or\n"
            "several (8).",
    .dims = "rows cols",
    .size = "16384x16384 4096x131072",
    .cpu_size = "64x4096",
    .test_sizes = "1x1 8x31 9x32 8x33 7x257 16x1024 9x1000 6x2056 6x4104 6x16384 6x16392 6x32768 7x40008 6x65536 "
                  "6x131072 3x0 0x3",
    .sweep = "4096x1024:16384:1024",
    .cpu_sweep = "64x256:4096:256",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = softmax_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
