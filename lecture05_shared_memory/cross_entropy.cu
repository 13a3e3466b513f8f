/* Cross-entropy, the loss of a language model, fused with its softmax:
 *
 *     loss[r] = log(sum over c of exp(x[r][c])) - x[r][target[r]]
 *     d[r][c] = exp(x[r][c]) / sum - (c == target[r] ? 1 : 0)           the loss's gradient; with `gradient` 1
 *
 * x is rows x cols logits, fp32 or bf16; arithmetic is fp32. A vocabulary has 100000 words and more: the logits are the
 * largest tensor of a training step, and what counts is how often they are read. If they are read once, the loss is a
 * reduction, and its ceiling is the speed of reading. With the gradient they are read once and written once, and the
 * ceiling is a copy.
 *
 *   rung                      idea                                                  ./run cross_entropy --rung N
 *   1  softmax first          the probabilities are written to memory, then one of each row is looked at
 *   2  online, one block per row  the maximum and the sum in one pass; for the gradient the row is read again
 *   3  16 bytes, four ahead   several vectors in flight; one maximum for all of a thread's elements in flight
 *   4  row over a cluster     the gradient too from one read: up to 8 blocks hold a row in shared memory (Hopper)
 *   5  registers too          a part of the row in registers, so that fewer blocks hold it and more bytes are in flight
 *
 * The output holds the losses, fp32; with `gradient` 1 the gradient, of the logits' type, and then the losses in that
 * type.
 */
#include "ceil_div.cuh"
#include "lab.h"

#include "vectors.cuh"

#include <math.h>

#include <cooperative_groups.h>

typedef struct Loss {
    const void *x;
    const int *target;
    void *loss, *gradient; /* gradient NULL: the losses only, in fp32; else both of the logits' type */
    float *scratch;        /* rung 1's probabilities */
    size_t rows, cols;
} Loss;
typedef void Launch(const Loss *l, cudaStream_t stream);

static void loss_cpu(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    const int gradient = (int)c->dim[2], *target = lab_h_in_s32(c, 1);
    double *losses = c->expect + (gradient ? rows * cols : 0);
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) {
        const int wanted = lab_sample_row(r, rows, 30.0 * (double)cols);
        double max = -INFINITY, sum = 0;
        for (size_t i = 0; wanted && i < cols; i++)
            max = fmax(max, lab_get(c->h_in[0], c->in_type[0], r * cols + i));
        for (size_t i = 0; wanted && i < cols; i++)
            sum += exp(lab_get(c->h_in[0], c->in_type[0], r * cols + i) - max);
        for (size_t i = 0; gradient && i < cols; i++)
            c->expect[r * cols + i] =
                wanted ? exp(lab_get(c->h_in[0], c->in_type[0], r * cols + i) - max) / sum - ((int)i == target[r])
                       : lab_unchecked();
        losses[r] =
            wanted ? log(sum) + max - lab_get(c->h_in[0], c->in_type[0], r * cols + target[r]) : lab_unchecked();
    }
}

/* The state of an online softmax, in exponents of 2: the maximum so far, and the sum of exp2(x log2(e) - max). Of
 * nothing:
 * (-inf, 0). */
typedef struct Pair {
    float max, sum;
} Pair;

static const float LOG2_E = 1.44269504f;

__device__ static float exp2_flushed(float x)
{
#ifdef __CUCC__
    return exp2f(x);
#else
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
#endif
}

__device__ static Pair merge(Pair a, Pair b)
{
    const float max = fmaxf(a.max, b.max), base = max == -INFINITY ? 0 : max;
    return Pair{max, a.sum * exp2_flushed(a.max - base) + b.sum * exp2_flushed(b.max - base)};
}

/* The pair of the whole block, in every thread. `s` is shared, one pair per warp. */
__device__ static Pair block_merge(Pair p, Pair *s)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (int step = 16; step > 0; step /= 2)
        p = merge(p, Pair{__shfl_xor_sync(0xffffffffu, p.max, step), __shfl_xor_sync(0xffffffffu, p.sum, step)});
    if (lane == 0)
        s[warp] = p;
    __syncthreads();
    p = lane < warps ? s[lane] : Pair{-INFINITY, 0};
    for (int step = 16; step > 0; step /= 2)
        p = merge(p, Pair{__shfl_xor_sync(0xffffffffu, p.max, step), __shfl_xor_sync(0xffffffffu, p.sum, step)});
    return p;
}

/* log(sum of exp) - the target's logit; p counts in exponents of 2. */
__device__ static float loss_of(Pair p, float target) { return (p.max + log2f(p.sum)) / LOG2_E - target; }

/* COUNT more elements: one maximum for all, and the old sum is corrected once. */
template <int COUNT> __device__ static Pair add(Pair p, const float (&v)[COUNT])
{
    float max = p.max, sum = 0;
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        max = fmaxf(max, v[j] * LOG2_E);
    const float base = max == -INFINITY ? 0 : max;
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        sum += exp2_flushed(fmaf(v[j], LOG2_E, -base));
    return Pair{max, p.sum * exp2_flushed(p.max - base) + sum};
}

/* 1: three kernels, as a framework without fusion does it. */
template <typename T> __global__ void loss_kernel1_softmax(const T *x, float *probability, size_t cols)
{
    __shared__ Pair s[32];
    x += blockIdx.x * cols;
    probability += blockIdx.x * cols;
    Pair p = {-INFINITY, 0};
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x) {
        const float v[1] = {load(x + i)};
        p = add(p, v);
    }
    p = block_merge(p, s);
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
        probability[i] = exp2f(load(x + i) * LOG2_E - p.max) / p.sum;
}
template <typename L>
__global__ void loss_kernel1_pick(const float *probability, const int *target, L *loss, size_t rows, size_t cols)
{
    const size_t r = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        store(loss + r, -logf(probability[r * cols + target[r]]));
}
template <typename T>
__global__ void loss_kernel1_gradient(const float *probability, const int *target, T *gradient, size_t cols)
{
    const size_t r = blockIdx.x;
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
        store(gradient + r * cols + i, probability[r * cols + i] - ((int)i == target[r]));
}

template <typename T> static void loss1(const Loss *l, cudaStream_t stream)
{
    const unsigned rows = (unsigned)l->rows;
    loss_kernel1_softmax<<<rows, 512, 0, stream>>>((const T *)l->x, l->scratch, l->cols);
    if (l->gradient) {
        loss_kernel1_pick<<<(unsigned)ceil_div(rows, 128), 128, 0, stream>>>(l->scratch, l->target, (T *)l->loss,
                                                                             l->rows, l->cols);
        loss_kernel1_gradient<<<rows, 512, 0, stream>>>(l->scratch, l->target, (T *)l->gradient, l->cols);
    } else
        loss_kernel1_pick<<<(unsigned)ceil_div(rows, 128), 128, 0, stream>>>(l->scratch, l->target, (float *)l->loss,
                                                                             l->rows, l->cols);
}

/* 2 */
template <typename T, typename L>
__global__ void loss_kernel2(const T *x, const int *target, L *loss, T *gradient, size_t cols)
{
    __shared__ Pair s[32];
    x += blockIdx.x * cols;
    Pair p = {-INFINITY, 0};
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x) {
        const float v[1] = {load(x + i)};
        p = add(p, v);
    }
    p = block_merge(p, s);
    const int right = target[blockIdx.x];
    if (threadIdx.x == 0)
        store(loss + blockIdx.x, loss_of(p, load(x + right)));
    if (gradient)
        for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
            store(gradient + blockIdx.x * cols + i,
                  exp2_flushed(load(x + i) * LOG2_E - p.max) / p.sum - ((int)i == right));
}

template <typename T> static void loss2(const Loss *l, cudaStream_t stream)
{
    if (l->gradient)
        loss_kernel2<<<(unsigned)l->rows, 512, 0, stream>>>((const T *)l->x, l->target, (T *)l->loss, (T *)l->gradient,
                                                            l->cols);
    else
        loss_kernel2<<<(unsigned)l->rows, 512, 0, stream>>>((const T *)l->x, l->target, (float *)l->loss, (T *)NULL,
                                                            l->cols);
}

/* The gradient of one vector of logits, whose first is number `first` of the row. */
template <typename T>
__device__ static Vector<T> gradient_of(const Vector<T> &x, int first, int target, float max_and_sum)
{
    constexpr int COUNT = Vector<T>::COUNT;
    float v[COUNT];
    Vector<T> g;
    x.get(v);
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        v[j] = exp2_flushed(fmaf(v[j], LOG2_E, -max_and_sum));
    if ((unsigned)(target - first) < COUNT) /* asked once per vector: one vector of a row has the target */
#pragma unroll
        for (int j = 0; j < COUNT; j++)
            v[j] -= first + j == target ? 1.0f : 0.0f;
    g.set(v);
    return g;
}

/* 3 */
enum { WIDE_THREADS = 512, AHEAD = 4 };

template <typename T, typename L>
__global__ void __launch_bounds__(WIDE_THREADS)
    loss_kernel3(const Vector<T> *x, const int *target, L *loss, Vector<T> *gradient, int vectors)
{
    constexpr int COUNT = Vector<T>::COUNT;
    __shared__ Pair s[32];
    x += (size_t)blockIdx.x * vectors;
    Pair p = {-INFINITY, 0};
    int i = threadIdx.x;
    for (; i + (AHEAD - 1) * WIDE_THREADS < vectors; i += AHEAD * WIDE_THREADS) {
        Vector<T> loaded[AHEAD];
        float v[AHEAD * COUNT];
#pragma unroll
        for (int e = 0; e < AHEAD; e++)
            loaded[e].bits = x[i + e * WIDE_THREADS].bits;
#pragma unroll
        for (int e = 0; e < AHEAD; e++)
            loaded[e].get(v + e * COUNT);
        p = add(p, v);
    }
    for (; i < vectors; i += WIDE_THREADS) {
        float v[COUNT];
        x[i].get(v);
        p = add(p, v);
    }
    p = block_merge(p, s);
    const int right = target[blockIdx.x];
    if (threadIdx.x == 0)
        store(loss + blockIdx.x, loss_of(p, load((const T *)x + right)));
    if (gradient)
        for (i = threadIdx.x; i < vectors; i += WIDE_THREADS)
            gradient[(size_t)blockIdx.x * vectors + i] = gradient_of(x[i], i * COUNT, right, p.max + log2f(p.sum));
}

template <typename T> static void loss3(const Loss *l, cudaStream_t stream)
{
    const int vectors = (int)(l->cols / Vector<T>::COUNT);
    if (l->gradient)
        loss_kernel3<<<(unsigned)l->rows, WIDE_THREADS, 0, stream>>>((const Vector<T> *)l->x, l->target, (T *)l->loss,
                                                                     (Vector<T> *)l->gradient, vectors);
    else
        loss_kernel3<<<(unsigned)l->rows, WIDE_THREADS, 0, stream>>>((const Vector<T> *)l->x, l->target,
                                                                     (float *)l->loss, (Vector<T> *)NULL, vectors);
}

/* 4: each block of the cluster has a part of the row, in shared memory: what it copies there, by cp.async, past the
 * registers, each thread reads again itself. The pairs are exchanged through the cluster's shared memory, as in rung 8
 * of softmax. Without a gradient there is nothing to keep, and this is rung 3. */
enum { MAX_BLOCKS = 8, PART_THREADS = 512, PART_EACH = 12, PART = PART_THREADS * PART_EACH };

#include "ptx.cuh"

template <typename T>
__global__ void __launch_bounds__(PART_THREADS, 2)
    loss_kernel4(const Vector<T> *x, const int *target, T *loss, Vector<T> *gradient, int row_vectors, int blocks)
{
#if __CUDA_ARCH__ >= 900
    constexpr int COUNT = Vector<T>::COUNT;
    extern __shared__ __align__(128) uint4 part_bytes[]; /* PART vectors */
    __shared__ Pair s[32], of_block[MAX_BLOCKS];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    cluster.barrier_arrive(); /* waited for before anyone writes into this block's memory */
    Vector<T> *part = (Vector<T> *)part_bytes;
    const int t = threadIdx.x, lane = t % 32, rank = cluster.block_rank(), each = (row_vectors + blocks - 1) / blocks,
              first = rank * each, vectors = min(each, row_vectors - first), row = blockIdx.x / blocks;
    const size_t begin = (size_t)row * row_vectors + first;
#pragma unroll
    for (int e = 0; e < PART_EACH; e++) {
        if (e * PART_THREADS + t < vectors)
            cp_async_16(&part[e * PART_THREADS + t], &x[begin + e * PART_THREADS + t]);
        if (e % 4 == 3)
            cp_async_commit();
    }
    Pair p = {-INFINITY, 0};
    auto take = [&](int from) {
#pragma unroll
        for (int e = from; e < from + 4; e++)
            if (e * PART_THREADS + t < vectors) {
                float v[COUNT];
                part[e * PART_THREADS + t].get(v);
                p = add(p, v);
            }
    };
    cp_async_wait<2>();
    take(0);
    cp_async_wait<1>();
    take(4);
    cp_async_wait<0>();
    take(8);
    p = block_merge(p, s);
    cluster.barrier_wait();
    if (t < blocks)
        *cluster.map_shared_rank(&of_block[rank], t) = p;
    cluster.sync();
    p = lane < blocks ? of_block[lane] : Pair{-INFINITY, 0};
    for (int step = MAX_BLOCKS / 2; step > 0; step /= 2)
        p = merge(p, Pair{__shfl_xor_sync(0xffffffffu, p.max, step), __shfl_xor_sync(0xffffffffu, p.sum, step)});
    p.max = __shfl_sync(0xffffffffu, p.max, 0);
    p.sum = __shfl_sync(0xffffffffu, p.sum, 0);
    const int right = target[row];
    if (rank == 0 && t == 0)
        store(loss + row, loss_of(p, load((const T *)(x + (size_t)row * row_vectors) + right)));
    const float max_and_sum = p.max + log2f(p.sum);
#pragma unroll 4
    for (int e = 0; e < PART_EACH; e++) {
        const int i = e * PART_THREADS + t;
        if (i < vectors)
            gradient[begin + i] = gradient_of(part[i], (first + i) * COUNT, right, max_and_sum);
    }
#endif
}

template <typename T> static void loss4(const Loss *l, cudaStream_t stream)
{
    if (!l->gradient) {
        loss3<T>(l, stream);
        return;
    }
    const int vectors = (int)(l->cols / Vector<T>::COUNT);
    unsigned blocks = 1;
    while (blocks < MAX_BLOCKS && blocks * PART < (unsigned)vectors)
        blocks *= 2;
    const size_t bytes = (size_t)PART * 16;
    CUDA_CHECK(cudaFuncSetAttribute(loss_kernel4<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)l->rows * blocks);
    config.blockDim = dim3(PART_THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, loss_kernel4<T>, (const Vector<T> *)l->x, l->target, (T *)l->loss,
                                  (Vector<T> *)l->gradient, vectors, (int)blocks));
}

/* The pair of the whole warp: one maximum first, then each lane corrects its sum once. */
[[maybe_unused]] __device__ static Pair warp_merge(Pair p)
{
    float max = p.max;
    for (int step = 16; step > 0; step /= 2)
        max = fmaxf(max, __shfl_xor_sync(0xffffffffu, max, step));
    return Pair{max, warp_sum(p.sum * exp2_flushed(p.max - (max == -INFINITY ? 0 : max)))};
}

/* 5: a block holds a third more, in registers: rows need fewer blocks, and a multiprocessor has 256 KB in flight. The
 * part begins where the earlier blocks' whole parts end. WHOLE: all parts are whole, and no bounds check comes between
 * the loads: they are all in flight before the first is used. */
enum { IN_REGISTERS = 4, FULL_PART = (IN_REGISTERS + PART_EACH) * PART_THREADS };

template <bool WHOLE> __device__ static bool exists(int i, int vectors) { return WHOLE || i < vectors; }

template <typename T, bool WHOLE>
__global__ void __launch_bounds__(PART_THREADS, 2)
    loss_kernel5(const Vector<T> *x, const int *target, T *loss, Vector<T> *gradient, int row_vectors, int blocks)
{
#if __CUDA_ARCH__ >= 900
    constexpr int COUNT = Vector<T>::COUNT;
    extern __shared__ __align__(128) uint4 part_bytes[]; /* PART vectors */
    __shared__ Pair s[32], of_block[MAX_BLOCKS];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    cluster.barrier_arrive(); /* waited for before anyone writes into this block's memory */
    Vector<T> *part = (Vector<T> *)part_bytes, loaded[IN_REGISTERS];
    const int t = threadIdx.x, lane = t % 32, rank = cluster.block_rank(), first = rank * FULL_PART,
              vectors = row_vectors - first, row = blockIdx.x / blocks; /* to the row's end: may be negative, or more */
    const size_t begin = (size_t)row * row_vectors + first;
#pragma unroll
    for (int e = 0; e < PART_EACH; e++)
        if (exists<WHOLE>((IN_REGISTERS + e) * PART_THREADS + t, vectors))
            cp_async_16(&part[e * PART_THREADS + t], &x[begin + (IN_REGISTERS + e) * PART_THREADS + t]);
    cp_async_commit();
#pragma unroll
    for (int e = 0; e < IN_REGISTERS; e++)
        if (exists<WHOLE>(e * PART_THREADS + t, vectors))
            loaded[e].bits = x[begin + e * PART_THREADS + t].bits;
    Pair p = {-INFINITY, 0};
    float v[COUNT];
#pragma unroll
    for (int e = 0; e < IN_REGISTERS; e++)
        if (exists<WHOLE>(e * PART_THREADS + t, vectors)) {
            loaded[e].get(v);
            p = add(p, v);
        }
    cp_async_wait<0>();
#pragma unroll 4
    for (int e = 0; e < PART_EACH; e++)
        if (exists<WHOLE>((IN_REGISTERS + e) * PART_THREADS + t, vectors)) {
            part[e * PART_THREADS + t].get(v);
            p = add(p, v);
        }
    p = block_merge(p, s);
    cluster.barrier_wait();
    if (t < blocks)
        *cluster.map_shared_rank(&of_block[rank], t) = p;
    cluster.sync(); /* after this no block touches another's memory */
    p = warp_merge(lane < blocks ? of_block[lane] : Pair{-INFINITY, 0});
    const int right = target[row];
    if (rank == 0 && t == 0)
        store(loss + row, loss_of(p, load((const T *)(x + (size_t)row * row_vectors) + right)));
    const float max_and_sum = p.max + log2f(p.sum);
#pragma unroll
    for (int e = 0; e < IN_REGISTERS; e++) {
        const int i = e * PART_THREADS + t;
        if (exists<WHOLE>(i, vectors))
            gradient[begin + i] = gradient_of(loaded[e], (first + i) * COUNT, right, max_and_sum);
    }
#pragma unroll 4
    for (int e = 0; e < PART_EACH; e++) {
        const int i = (IN_REGISTERS + e) * PART_THREADS + t;
        if (exists<WHOLE>(i, vectors))
            gradient[begin + i] = gradient_of(part[e * PART_THREADS + t], (first + i) * COUNT, right, max_and_sum);
    }
#endif
}

template <typename T> static void loss5(const Loss *l, cudaStream_t stream)
{
    if (!l->gradient) {
        loss3<T>(l, stream);
        return;
    }
    const int vectors = (int)(l->cols / Vector<T>::COUNT);
    unsigned blocks = 1;
    while (blocks < MAX_BLOCKS && blocks * FULL_PART < (unsigned)vectors)
        blocks *= 2;
    const size_t bytes = (size_t)PART * 16;
    auto kernel = (unsigned)vectors == blocks * FULL_PART ? loss_kernel5<T, true> : loss_kernel5<T, false>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)l->rows * blocks);
    config.blockDim = dim3(PART_THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, (const Vector<T> *)l->x, l->target, (T *)l->loss,
                                  (Vector<T> *)l->gradient, vectors, (int)blocks));
}

#define BOTH(number, name, launch, flags)                                                                              \
    {number, name, LAB_LAUNCH(Launch, launch<float>), LAB_F32, flags, 0},                                              \
    {                                                                                                                  \
        number, name, LAB_LAUNCH(Launch, launch<__nv_bfloat16>), LAB_BF16, flags, 0                                    \
    }

static const LabRung rungs[] = {
    BOTH(1, "softmax first", loss1, 0),
    BOTH(2, "online, one block per row", loss2, 0),
    BOTH(3, "16 bytes, four ahead", loss3, 0),
    BOTH(4, "row over a cluster", loss4, LAB_NEEDS_SM90A),
    BOTH(5, "registers too", loss5, LAB_NEEDS_SM90A),
};

/* For transformer_pytorch.py, through ctypes: one rung (2 or later) on device memory, asynchronous on `stream`. */
extern "C" void cross_entropy_rung(int number, int bf16, const void *x, const int *target, void *loss, void *gradient,
                                   size_t rows, size_t cols, cudaStream_t stream)
{
    const Loss l = {x, target, loss, gradient, NULL, rows, cols};
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number && number > 1 && (rungs[i].type == LAB_BF16) == bf16)
            ((Launch *)rungs[i].launch)(&l, stream);
}

static const char *setup(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    if (rows > INT32_MAX / MAX_BLOCKS || cols > INT32_MAX / 2 || cols == 0)
        return "at most 2^28 rows, of 1 to 2^30 columns";
    if (c->dim[2] > 1)
        return "gradient is 0 or 1";
    lab_input(c, 0, rows * cols, c->type);
    lab_input(c, 1, rows, LAB_S32);
    int *target = lab_h_in_s32(c, 1);
    lab_fill_uniform(c, 0, -6, 6);
    for (size_t r = 0; r < rows; r++)
        target[r] = (int)(random_u64(c->seed + 7, r) % cols);
    for (size_t r = 0; r < rows && r < 64; r++)
        for (size_t i = 0; i < cols; i++) { /* exponentials that overflow, and masked words; never the target */
            if (r % 4 == 1)
                lab_set(c->h_in[0], c->type, r * cols + i, 1000 + lab_get(c->h_in[0], c->type, r * cols + i));
            if (r % 4 == 2 && (int)i != target[r] && (i < cols / 2 || i % 3 == 0))
                lab_set(c->h_in[0], c->type, r * cols + i, -INFINITY);
        }
    if (c->dim[2])
        lab_output(c, rows * cols + rows, c->type);
    else
        lab_output(c, rows, LAB_F32);
    c->out_width = c->dim[2] ? cols : 0;
    /* A loss is the difference of two numbers that may be a thousand; fp32 has 24 bits for them. */
    c->atol = c->dim[2] && c->type == LAB_BF16 ? 4e-3 : 2e-4;
    c->rtol = c->dim[2] && c->type == LAB_BF16 ? 4e-3 : 2e-5;
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    const size_t count = c->type == LAB_F32 ? 4 : 8;
    if (r->number == 1 && c->dim[0] * c->dim[1] > (size_t)1 << 31)
        return "its probabilities would fill more than 8 GiB";
    if (r->number >= 3 && c->dim[1] % count)
        return "rows must be whole 16-byte vectors: columns a multiple of 4 (fp32) or 8 (bf16)";
    if (r->number == 4 && c->dim[2] && c->dim[1] > (size_t)MAX_BLOCKS * PART * count)
        return "the row does not fit 8 blocks' shared memory";
    if (r->number == 5 && c->dim[2] && c->dim[1] > (size_t)MAX_BLOCKS * FULL_PART * count)
        return "the row does not fit 8 blocks";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1], bytes = lab_type_bytes(c->type);
    if (rows == 0)
        return;
    Loss l = {c->in[0], lab_in_s32(c, 1), c->out, NULL, NULL, rows, cols};
    if (c->dim[2]) {
        l.gradient = c->out;
        l.loss = (char *)c->out + rows * cols * bytes;
    }
    if (r->number == 1)
        l.scratch = (float *)lab_scratch(c, rows * cols * sizeof(float));
    ((Launch *)r->launch)(&l, c->stream);
}

static double bytes(const LabCase *c)
{
    return (double)lab_type_bytes(c->type) * (c->dim[2] ? 2.0 : 1.0) * (double)c->dim[0] * (double)c->dim[1];
}
static double flops(const LabCase *c) { return (c->dim[2] ? 7.0 : 4.0) * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 9,
    .name = "cross_entropy",
    .title = "a loss from one read of the logits, and its gradient from the same one",
    .page = "transformer.md",
    .look = "Look at how often the logits are read and written. From rung 3 on the loss takes no longer than\n"
            "reading the memory. (The ceiling in the table is a copy, and reading alone is faster than a copy.)",
    .dims = "rows cols gradient",
    .size = "8192x131072x0 2048x131072x1",
    .cpu_size = "32x4096x0",
    .test_sizes = "1x1x0 1x1x1 8x31x1 9x32x0 8x33x1 7x256x0 9x1000x1 6x8200x0 6x8200x1 3x50000x1 2x131072x1 0x8x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = loss_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
