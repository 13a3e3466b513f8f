/* LayerNorm and RMSNorm along rows, the two norms of transformers.
 *
 *     LayerNorm  y[c] = (x[c] - mean) / sqrt(variance + eps) * weight[c] + bias[c]       rms = 0
 *     RMSNorm    y[c] = x[c] / sqrt(mean of squares + eps) * weight[c]                    rms = 1
 *
 * x and y are rows x cols, fp32 or bf16, row-major; weight and bias have cols elements of the same type; arithmetic is
 * fp32. As with softmax a row must be read before its first result is known, and a copy is the ceiling. What is new:
 * the weights are read again for every row, from a cache at best.
 *
 *   rung                       idea                                                          ./run norms --rung N
 *   1  one thread per row      the formula, three passes; neighbouring threads read `cols` apart
 *   2  one block per row       coalesced; the sum and the sum of squares in one pass, the row read again to finish
 *   3  row in registers        16-byte loads; read once, the mean and then the variance from registers
 *   4  weights in registers    a block does many rows, and holds its columns' weights: slower, it waits for each row
 *   5  row over a cluster      up to 8 blocks share a row too long for one: rows of up to 1 MB (Hopper)
 *   6  several rows            a cluster has up to four rows at a time, and reads their weights once
 *   7  next rows under way     clusters stay, and ask for the next rows while they write: a gain only where one row
 *                              fills a cluster
 *   8  weights kept            a block keeps its columns' weights in shared memory for some rows, and exchanges a row's
 *                              sums while it finishes the row before: norms/kept_weights.cuh
 *   9  rows by ticket          rung 8's clusters stay, and each takes a ticket for its next row: the faster ones do more
 *  10  sums sent               the sums are sent and counted: no barrier, which would wait for the stores before it;
 *                              weights in registers: norms/sent_sums.cuh
 *
 * Rung 2's shortcut, mean of squares minus square of mean, loses digits where the mean is large beside the deviation:
 * with a mean of 4000 deviations all of them. The tests have rows whose mean is 20 of them. The backward pass:
 * norms_backward.
 */
#include "ceil_div.cuh"
#include "lab.h"

#include "ptx.cuh"
#include "vectors.cuh"

#include <math.h>

#include <cooperative_groups.h>

typedef struct Norm {
    const void *x, *weight, *bias;
    void *y;
    size_t rows, cols;
} Norm;
typedef void Launch(const Norm *n, int rms, cudaStream_t stream);

static const float EPSILON = 1e-5f;

static void norm_cpu(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    const int rms = (int)c->dim[2];
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) {
        double *y = c->expect + r * cols, mean = 0, variance = 0;
        const int wanted = lab_sample_row(r, rows, 10.0 * (double)cols);
        for (size_t i = 0; i < cols; i++)
            mean += y[i] = wanted ? lab_get(c->h_in[0], c->in_type[0], r * cols + i) : lab_unchecked();
        if (!wanted)
            continue;
        mean = rms ? 0 : mean / (double)cols;
        for (size_t i = 0; i < cols; i++)
            variance += (y[i] - mean) * (y[i] - mean) / (double)cols;
        for (size_t i = 0; i < cols; i++)
            y[i] = (y[i] - mean) / sqrt(variance + (double)EPSILON) * lab_get(c->h_in[1], c->in_type[1], i) +
                   (rms ? 0 : lab_get(c->h_in[2], c->in_type[2], i));
    }
}

/* 1 */
template <typename T, bool RMS>
__global__ void norm_kernel1(const T *x, const T *weight, const T *bias, T *y, size_t rows, size_t cols)
{
    const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    x += row * cols;
    y += row * cols;
    float mean = 0, variance = 0;
    if (!RMS)
        for (size_t i = 0; i < cols; i++)
            mean += load(x + i) / (float)cols;
    for (size_t i = 0; i < cols; i++)
        variance += (load(x + i) - mean) * (load(x + i) - mean) / (float)cols;
    const float scale = rsqrtf(variance + EPSILON);
    for (size_t i = 0; i < cols; i++)
        store(y + i, (load(x + i) - mean) * scale * load(weight + i) + (RMS ? 0 : load(bias + i)));
}

template <typename T, bool RMS> static void launch1(const Norm *n, cudaStream_t stream)
{
    norm_kernel1<T, RMS><<<(unsigned)ceil_div(n->rows, 128), 128, 0, stream>>>(
        (const T *)n->x, (const T *)n->weight, (const T *)n->bias, (T *)n->y, n->rows, n->cols);
}

/* 2 */
template <typename T, bool RMS>
__global__ void norm_kernel2(const T *x, const T *weight, const T *bias, T *y, size_t cols)
{
    __shared__ float2 s[32];
    x += blockIdx.x * cols;
    y += blockIdx.x * cols;
    float sum = 0, squares = 0;
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x) {
        const float v = load(x + i);
        sum += v;
        squares += v * v;
    }
    const float2 sums = block_sums(sum, squares, s);
    const float mean = RMS ? 0 : sums.x / (float)cols;
    const float scale = rsqrtf(fmaxf(sums.y / (float)cols - mean * mean, 0) + EPSILON);
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
        store(y + i, (load(x + i) - mean) * scale * load(weight + i) + (RMS ? 0 : load(bias + i)));
}

template <typename T, bool RMS> static void launch2(const Norm *n, cudaStream_t stream)
{
    norm_kernel2<T, RMS><<<(unsigned)n->rows, 256, 0, stream>>>((const T *)n->x, (const T *)n->weight,
                                                                (const T *)n->bias, (T *)n->y, n->cols);
}

enum { MAX_THREADS = 512, MOST = 8 }; /* vectors per thread */

/* How a row of `vectors` is dealt out: EACH vectors per thread, so few that the block has at least four warps. */
static int each_for(size_t vectors)
{
    int each = 1;
    while (each < MOST && (vectors > (size_t)each * MAX_THREADS || (each < 4 && vectors >= (size_t)each * 2 * 128)))
        each *= 2;
    return each;
}
static unsigned threads_for(size_t vectors, int each)
{
    return (unsigned)ceil_div(ceil_div(vectors, (size_t)each), 32) * 32;
}

/* Is vector i of this row? Where rows fill every place the test costs nothing: a branch around each load would keep
 * them from being issued together. */
template <bool WHOLE> __device__ static bool exists(int i, int vectors) { return WHOLE || i < vectors; }

/* Scale, and mean (0 with RMS), of a row in the block's registers: the mean first, then the squares of the
 * differences from it: two exchanges over the block. `s` is 64 pairs: each uses a half. */
template <typename T, bool RMS, int EACH, bool WHOLE>
__device__ static float2 statistics(const Vector<T> *row, int vectors, float2 *s)
{
    constexpr int COUNT = Vector<T>::COUNT;
    const float cols = (float)vectors * COUNT;
    float mean = 0, sum = 0, v[COUNT];
    if (!RMS) {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            row[e].get(v);
#pragma unroll
            for (int j = 0; j < COUNT; j++)
                sum += v[j]; /* what was not there was set to zero */
        }
        mean = block_sums(sum, 0, s).x / cols;
    }
    sum = 0;
#pragma unroll
    for (int e = 0; e < EACH; e++)
        if (exists<WHOLE>(e * blockDim.x + threadIdx.x, vectors)) {
            row[e].get(v);
#pragma unroll
            for (int j = 0; j < COUNT; j++)
                sum += (v[j] - mean) * (v[j] - mean);
        }
    return make_float2(rsqrtf(block_sums(sum, 0, s + 32).x / cols + EPSILON), mean);
}

template <typename T, int EACH, bool WHOLE>
__device__ static void fetch_row(Vector<T> *row, const Vector<T> *from, int vectors)
{
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int i = e * blockDim.x + threadIdx.x;
        row[e].bits = exists<WHOLE>(i, vectors) ? from[i].bits : make_uint4(0, 0, 0, 0);
    }
}

// notes: result
/* A vector of a row with its weights and biases, as numbers. */
template <typename T> struct Unpacked {
    float x[Vector<T>::COUNT], weight[Vector<T>::COUNT], bias[Vector<T>::COUNT];
    __device__ Unpacked(const Vector<T> &of, const Vector<T> &weights, const Vector<T> &biases)
    {
        of.get(x);
        weights.get(weight);
        biases.get(bias);
    }
};

template <typename T, bool RMS>
__device__ static Vector<T> result(const Vector<T> &x, const Vector<T> &weight, const Vector<T> &bias, float2 stat)
{
    Unpacked<T> u(x, weight, bias);
    Vector<T> y;
#pragma unroll
    for (int j = 0; j < Vector<T>::COUNT; j++)
        u.x[j] = (u.x[j] - stat.y) * stat.x * u.weight[j] + (RMS ? 0 : u.bias[j]);
    y.set(u.x);
    return y;
}
// notes end

/* 3 */
template <typename T, bool RMS, int EACH, bool WHOLE>
__global__ void __launch_bounds__(MAX_THREADS)
    norm_kernel3(const Vector<T> *x, const Vector<T> *weight, const Vector<T> *bias, Vector<T> *y, int vectors)
{
    // notes: row_in_registers
    __shared__ float2 s[64];
    Vector<T> row[EACH];
    fetch_row<T, EACH, WHOLE>(row, x + (size_t)blockIdx.x * vectors, vectors);
    const float2 stat = statistics<T, RMS, EACH, WHOLE>(row, vectors, s);
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int i = e * blockDim.x + threadIdx.x;
        if (exists<WHOLE>(i, vectors))
            y[(size_t)blockIdx.x * vectors + i] = result<T, RMS>(row[e], weight[i], RMS ? Vector<T>{} : bias[i], stat);
    }
    // notes end
}

/* 4: a block that stays, and does row after row. */
template <typename T, bool RMS, int EACH, bool WHOLE>
__global__ void __launch_bounds__(MAX_THREADS)
    norm_kernel4(const Vector<T> *x, const Vector<T> *weight, const Vector<T> *bias, Vector<T> *y, size_t rows,
                 int vectors)
{
    __shared__ float2 s[2][64];
    Vector<T> row[EACH], w[EACH], b[EACH];
    fetch_row<T, EACH, WHOLE>(w, weight, vectors);
    if (!RMS)
        fetch_row<T, EACH, WHOLE>(b, bias, vectors);
    int turn = 0; /* s in turns: no barrier between one row's and the next's */
    for (size_t r = blockIdx.x; r < rows; r += gridDim.x, turn ^= 1) {
        fetch_row<T, EACH, WHOLE>(row, x + r * vectors, vectors);
        const float2 stat = statistics<T, RMS, EACH, WHOLE>(row, vectors, s[turn]);
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int i = e * blockDim.x + threadIdx.x;
            if (exists<WHOLE>(i, vectors))
                y[r * vectors + i] = result<T, RMS>(row[e], w[e], RMS ? Vector<T>{} : b[e], stat);
        }
    }
}

template <typename T, bool RMS, int EACH, bool WHOLE>
static void launch_resident(const Norm *n, unsigned threads, cudaStream_t stream)
{
    const int vectors = (int)(n->cols / Vector<T>::COUNT);
    auto kernel = norm_kernel4<T, RMS, EACH, WHOLE>;
    int multiprocessors = 0, each = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)threads, 0));
    const size_t resident = (size_t)multiprocessors * (size_t)each;
    kernel<<<(unsigned)(n->rows < resident ? n->rows : resident), threads, 0, stream>>>(
        (const Vector<T> *)n->x, (const Vector<T> *)n->weight, (const Vector<T> *)n->bias, (Vector<T> *)n->y, n->rows,
        vectors);
}

template <typename T, bool RMS, int EACH, bool WHOLE>
static void launch_wide(int rung, const Norm *n, unsigned threads, cudaStream_t stream)
{
    const int vectors = (int)(n->cols / Vector<T>::COUNT);
    const Vector<T> *x = (const Vector<T> *)n->x, *w = (const Vector<T> *)n->weight, *b = (const Vector<T> *)n->bias;
    Vector<T> *y = (Vector<T> *)n->y;
    const unsigned rows = (unsigned)n->rows;
    if (rung == 3)
        norm_kernel3<T, RMS, EACH, WHOLE><<<rows, threads, 0, stream>>>(x, w, b, y, vectors);
    else if constexpr (EACH < MOST)
        launch_resident<T, RMS, EACH, WHOLE>(n, threads, stream);
}

template <typename T, bool RMS, int EACH> static void launch_whole(int rung, const Norm *n, cudaStream_t stream)
{
    const size_t vectors = n->cols / Vector<T>::COUNT;
    const unsigned threads = threads_for(vectors, EACH);
    if (vectors == (size_t)threads * EACH)
        launch_wide<T, RMS, EACH, true>(rung, n, threads, stream);
    else
        launch_wide<T, RMS, EACH, false>(rung, n, threads, stream);
}

template <typename T, bool RMS> static void launch_each(int rung, const Norm *n, cudaStream_t stream)
{
    switch (each_for(n->cols / Vector<T>::COUNT)) {
    case 1: launch_whole<T, RMS, 1>(rung, n, stream); break;
    case 2: launch_whole<T, RMS, 2>(rung, n, stream); break;
    case 4: launch_whole<T, RMS, 4>(rung, n, stream); break;
    default: launch_whole<T, RMS, MOST>(rung, n, stream);
    }
}

/* 5: as in softmax's rung 8. Each block of a cluster has a part of the row, some of it in registers and the rest in
 * shared memory, where cp.async copies it past the registers; what a thread copies only it reads. A block sends the mean
 * of its part, and the sum of squares around that mean, to all the others, so that one exchange is enough.
 *
 * 6: a block has the same columns of ROWS rows, a smaller part of each, and reads their weights once. In rung 5 each
 * row reads all weights, from L2: with LayerNorm twice as many bytes as the row itself.
 *
 * 7: the clusters stay. As soon as a thread has stored a vector, it asks for the next rows' vector in its place: memory
 * is read while the results are written.
 *
 * All three are this kernel: rungs 5 and 6 launch a cluster for each group of rows, and rung 7 as many as fit. */
enum { MAX_BLOCKS = 8, PART_THREADS = 512, IN_REGISTERS = 4, IN_SHARED = 12, PLACES = IN_REGISTERS + IN_SHARED };

/* The sums over the block of ROWS numbers each thread has, in every thread. `s` is shared, ROWS floats a warp. */
template <int ROWS> __device__ static void block_sums_of_rows(float (&sum)[ROWS], float *s)
{
    constexpr int WARPS = PART_THREADS / 32;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        sum[r] = warp_sum(sum[r]);
        if (lane == 0)
            s[warp * ROWS + r] = sum[r];
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        sum[r] = warp_sum(lane < WARPS ? s[lane * ROWS + r] : 0);
}

/* AHEAD: how many vectors of weights are in flight while the blocks wait for each other. WHOLE: all parts are whole. */
template <typename T, bool RMS, int ROWS, int AHEAD, bool WHOLE>
__global__ void __launch_bounds__(PART_THREADS, 2)
    norm_kernel5(const Vector<T> *x, const Vector<T> *weight, const Vector<T> *bias, Vector<T> *y, size_t rows,
                 int row_vectors, int blocks)
{
#if __CUDA_ARCH__ >= 900
    constexpr int COUNT = Vector<T>::COUNT, EACH = PLACES / ROWS, PART = EACH * PART_THREADS;
    static_assert(ROWS * EACH == PLACES, "the rows share a thread's places evenly");
    extern __shared__ __align__(128) uint4 norm_part[]; /* IN_SHARED * PART_THREADS vectors */
    __shared__ float s[2][PART_THREADS / 32 * ROWS];
    __shared__ float2 of_block[2][ROWS][MAX_BLOCKS]; /* in turns */
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    Vector<T> *kept = (Vector<T> *)norm_part + threadIdx.x, loaded[IN_REGISTERS];
    const int t = threadIdx.x, lane = t % 32, rank = cluster.block_rank(), first = rank * PART,
              vectors = row_vectors - first; /* to the row's end: may be negative, or more than a part */
    const size_t step = gridDim.x / blocks * ROWS;
    size_t row = blockIdx.x / blocks * ROWS; /* the first of the group */
    /* Place e of row r + i: in registers the first places, in shared memory the others. */
    const auto ask = [&](int r, int e, size_t from) {
        const int place = r * EACH + e;
        if (!exists<WHOLE>(e * PART_THREADS + t, vectors) || from + r >= rows)
            return;
        const Vector<T> *source = &x[(from + r) * row_vectors + first + e * PART_THREADS + t];
        if (place < IN_REGISTERS)
            loaded[place].bits = source->bits;
        else
            cp_async_16(&kept[(place - IN_REGISTERS) * PART_THREADS], source);
    };
    const auto take = [&](int r, int e, float(&v)[COUNT]) {
        const int place = r * EACH + e;
        if (place < IN_REGISTERS)
            loaded[place].get(v);
        else
            kept[(place - IN_REGISTERS) * PART_THREADS].get(v);
    };
    const auto is_mine = [&](int r, int e) { return exists<WHOLE>(e * PART_THREADS + t, vectors) && row + r < rows; };
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int e = 0; e < EACH; e++)
            ask(r, e, row);
    cp_async_commit();
    cluster.sync(); /* all blocks have begun: they may be written to */
    for (int turn = 0; row < rows; row += step, turn ^= 1) {
        float v[COUNT], middle[ROWS], sum[ROWS];
        const float count = (float)min(max(vectors, 0), PART) * COUNT, all = (float)row_vectors * COUNT;
        cp_async_wait<0>();
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            middle[r] = 0;
        if (!RMS) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int e = 0; e < EACH; e++)
                    if (is_mine(r, e)) {
                        take(r, e, v);
#pragma unroll
                        for (int j = 0; j < COUNT; j++)
                            middle[r] += v[j];
                    }
            block_sums_of_rows<ROWS>(middle, s[0]);
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            middle[r] = RMS || vectors <= 0 ? 0 : middle[r] / count;
            sum[r] = 0;
#pragma unroll
            for (int e = 0; e < EACH; e++)
                if (is_mine(r, e)) {
                    take(r, e, v);
#pragma unroll
                    for (int j = 0; j < COUNT; j++)
                        sum[r] += (v[j] - middle[r]) * (v[j] - middle[r]);
                }
        }
        block_sums_of_rows<ROWS>(sum, s[1]);
        if (t < blocks)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                *cluster.map_shared_rank(&of_block[turn][r][rank], t) = make_float2(middle[r], sum[r]);
        cluster.barrier_arrive();
        Vector<T> w[AHEAD], b[AHEAD]; /* in flight while the blocks wait for each other */
        const auto ask_weights = [&](int e) {
            if (exists<WHOLE>(e * PART_THREADS + t, vectors)) {
                w[e % AHEAD].bits = weight[first + e * PART_THREADS + t].bits;
                if (!RMS)
                    b[e % AHEAD].bits = bias[first + e * PART_THREADS + t].bits;
            }
        };
#pragma unroll
        for (int e = 0; e < AHEAD; e++)
            ask_weights(e);
        cluster.barrier_wait();
        /* The mean of all parts, and the squares around it: Chan, Golub and LeVeque's rule. */
        const float theirs = lane < blocks ? (float)min(max(row_vectors - lane * PART, 0), PART) * COUNT : 0;
        float2 stat[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float2 part = lane < blocks ? of_block[turn][r][lane] : make_float2(0, 0);
            const float mean = RMS ? 0 : warp_sum(theirs * part.x) / all, off = part.x - mean;
            stat[r] = make_float2(rsqrtf(warp_sum(part.y + (RMS ? 0 : theirs * off * off)) / all + EPSILON), mean);
        }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const Vector<T> w_now = w[e % AHEAD], b_now = RMS ? Vector<T>{} : b[e % AHEAD];
            if (e + AHEAD < EACH)
                ask_weights(e + AHEAD);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                if (is_mine(r, e)) {
                    Vector<T> mine;
                    const int place = r * EACH + e;
                    mine.bits =
                        place < IN_REGISTERS ? loaded[place].bits : kept[(place - IN_REGISTERS) * PART_THREADS].bits;
                    y[(row + r) * row_vectors + first + e * PART_THREADS + t].bits =
                        result<T, RMS>(mine, w_now, b_now, stat[r]).bits;
                    ask(r, e, row + step);
                }
        }
        cp_async_commit();
    }
#endif
}

template <typename T, bool RMS, int ROWS, int AHEAD>
static void launch_cluster(const Norm *n, bool stay, cudaStream_t stream)
{
    constexpr unsigned part = PLACES / ROWS * PART_THREADS;
    const unsigned vectors = (unsigned)(n->cols / Vector<T>::COUNT);
    unsigned blocks = 1;
    while (blocks < MAX_BLOCKS && blocks * part < vectors)
        blocks *= 2;
    const size_t bytes = (size_t)IN_SHARED * PART_THREADS * 16;
    auto kernel =
        vectors == blocks * part ? norm_kernel5<T, RMS, ROWS, AHEAD, true> : norm_kernel5<T, RMS, ROWS, AHEAD, false>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    const size_t groups = ceil_div(n->rows, ROWS);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)groups * blocks);
    config.blockDim = dim3(PART_THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (stay) {
        int clusters = 0;
        CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
        if ((size_t)clusters < groups)
            config.gridDim = dim3((unsigned)clusters * blocks);
    }
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, (const Vector<T> *)n->x, (const Vector<T> *)n->weight,
                                  (const Vector<T> *)n->bias, (Vector<T> *)n->y, n->rows, (int)vectors, (int)blocks));
}

#include "norms/kept_weights.cuh"
#include "norms/sent_sums.cuh"

/* Rung 5 has as many weights in flight as registers allow. With several rows, more than one vector of them would
 * spill. */
template <typename T, bool RMS> static void launch5(const Norm *n, cudaStream_t stream)
{
    launch_cluster<T, RMS, 1, RMS ? 4 : 2>(n, false, stream);
}

/* As many rows at a time, up to 4, as 8 blocks hold. */
template <typename T, bool RMS> static void launch6(const Norm *n, bool stay, cudaStream_t stream)
{
    const size_t all = (size_t)MAX_BLOCKS * PLACES * PART_THREADS, vectors = n->cols / Vector<T>::COUNT;
    if (vectors * 4 <= all)
        launch_cluster<T, RMS, 4, 1>(n, stay, stream);
    else if (vectors * 2 <= all)
        launch_cluster<T, RMS, 2, 1>(n, stay, stream);
    else
        launch_cluster<T, RMS, 1, 1>(n, stay, stream);
}

/* Where sixteen blocks find no place together, rung 7 does the row. */
template <typename T, bool RMS, typename KERNEL>
static void launch_or_7(const Norm *n, KERNEL kernel, int parts, bool tickets, cudaStream_t stream)
{
    const size_t bytes = (size_t)parts * KEPT_PART * 16;
    if (!launch_kept<T>(kernel, bytes, tickets, n->x, n->weight, n->bias, n->y, n->rows, n->cols, stream))
        launch6<T, RMS>(n, true, stream);
}

/* Do the row's parts fill their places? */
template <typename T> static bool parts_are_whole(const Norm *n)
{
    const size_t vectors = n->cols / Vector<T>::COUNT;
    return kept_blocks(vectors) * (size_t)KEPT_PART == vectors;
}

template <typename T, bool RMS, bool TICKETS> static void launch8(const Norm *n, cudaStream_t stream)
{
    const auto kernel =
        parts_are_whole<T>(n) ? norm_kernel8<T, RMS, true, TICKETS> : norm_kernel8<T, RMS, false, TICKETS>;
    launch_or_7<T, RMS>(n, kernel, RMS ? 2 : 3, TICKETS, stream);
}

template <typename T, bool RMS, bool AHEAD> static void launch10(const Norm *n, cudaStream_t stream)
{
    const auto kernel =
        parts_are_whole<T>(n) ? norm_kernel10<T, RMS, true, AHEAD> : norm_kernel10<T, RMS, false, AHEAD>;
    launch_or_7<T, RMS>(n, kernel, AHEAD ? 3 : 2, true, stream);
}

template <typename T> static void norm1(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch1<T, true>(n, stream) : launch1<T, false>(n, stream);
}
template <typename T> static void norm2(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch2<T, true>(n, stream) : launch2<T, false>(n, stream);
}
template <typename T, int RUNG> static void norm3(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch_each<T, true>(RUNG, n, stream) : launch_each<T, false>(RUNG, n, stream);
}
template <typename T> static void norm5(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch5<T, true>(n, stream) : launch5<T, false>(n, stream);
}
template <typename T, bool STAY> static void norm6(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch6<T, true>(n, STAY, stream) : launch6<T, false>(n, STAY, stream);
}
template <typename T, bool TICKETS> static void norm8(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch8<T, true, TICKETS>(n, stream) : launch8<T, false, TICKETS>(n, stream);
}

/* One block has nobody to send to: rung 9 does its rows. */
template <typename T> static void norm10(const Norm *n, int rms, cudaStream_t stream)
{
    const unsigned blocks = kept_blocks(n->cols / Vector<T>::COUNT);
    if (blocks == 1)
        norm8<T, true>(n, rms, stream);
    else if (rms)
        launch10<T, true, false>(n, stream);
    else if (sizeof(T) == 2 && blocks >= 8)
        launch10<T, false, sizeof(T) == 2>(n, stream);
    else
        launch10<T, false, false>(n, stream);
}

static const LabRung rungs[] = {
    {1, "one thread per row", LAB_LAUNCH(Launch, norm1<float>), LAB_F32, 0, 0},
    {1, "one thread per row", LAB_LAUNCH(Launch, norm1<__nv_bfloat16>), LAB_BF16, 0, 0},
    {2, "one block per row", LAB_LAUNCH(Launch, norm2<float>), LAB_F32, 0, 0},
    {2, "one block per row", LAB_LAUNCH(Launch, norm2<__nv_bfloat16>), LAB_BF16, 0, 0},
    {3, "row in registers", LAB_LAUNCH(Launch, norm3<float, 3>), LAB_F32, 0, 0},
    {3, "row in registers", LAB_LAUNCH(Launch, norm3<__nv_bfloat16, 3>), LAB_BF16, 0, 0},
    {4, "weights in registers", LAB_LAUNCH(Launch, norm3<float, 4>), LAB_F32, 0, 0},
    {4, "weights in registers", LAB_LAUNCH(Launch, norm3<__nv_bfloat16, 4>), LAB_BF16, 0, 0},
    {5, "row over a cluster", LAB_LAUNCH(Launch, norm5<float>), LAB_F32, LAB_NEEDS_SM90A, 0},
    {5, "row over a cluster", LAB_LAUNCH(Launch, norm5<__nv_bfloat16>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {6, "several rows", LAB_LAUNCH(Launch, norm6<float, false>), LAB_F32, LAB_NEEDS_SM90A, 0},
    {6, "several rows", LAB_LAUNCH(Launch, norm6<__nv_bfloat16, false>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {7, "next rows under way", LAB_LAUNCH(Launch, norm6<float, true>), LAB_F32, LAB_NEEDS_SM90A, 0},
    {7, "next rows under way", LAB_LAUNCH(Launch, norm6<__nv_bfloat16, true>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {8, "weights kept", LAB_LAUNCH(Launch, norm8<float, false>), LAB_F32, LAB_NEEDS_SM90A, 0},
    {8, "weights kept", LAB_LAUNCH(Launch, norm8<__nv_bfloat16, false>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {9, "rows by ticket", LAB_LAUNCH(Launch, norm8<float, true>), LAB_F32, LAB_NEEDS_SM90A, 0},
    {9, "rows by ticket", LAB_LAUNCH(Launch, norm8<__nv_bfloat16, true>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {10, "sums sent", LAB_LAUNCH(Launch, norm10<float>), LAB_F32, LAB_NEEDS_SM90A, 0},
    {10, "sums sent", LAB_LAUNCH(Launch, norm10<__nv_bfloat16>), LAB_BF16, LAB_NEEDS_SM90A, 0},
};

/* For transformer_pytorch.py, through ctypes: one rung on device memory, asynchronous on `stream`. */
extern "C" void norm_rung(int number, int bf16, int rms, const void *x, const void *weight, const void *bias, void *y,
                          size_t rows, size_t cols, cudaStream_t stream)
{
    const Norm n = {x, weight, bias, y, rows, cols};
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number && (rungs[i].type == LAB_BF16) == bf16)
            ((Launch *)rungs[i].launch)(&n, rms, stream);
}

static const char *setup(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    if (rows > INT32_MAX || cols > 1 << 24)
        return "at most 2^31 - 1 rows of 2^24 columns";
    if (c->dim[2] > 1)
        return "rms is 0 (LayerNorm) or 1 (RMSNorm)";
    lab_input(c, 0, rows * cols, c->type);
    lab_input(c, 1, cols, c->type);
    lab_input(c, 2, cols, c->type);
    lab_output(c, rows * cols, c->type);
    lab_fill_uniform(c, 0, -2, 2);
    lab_fill_uniform(c, 1, 0.5, 1.5);
    lab_fill_uniform(c, 2, -1, 1);
    /* Rows whose parts have different means, rows with a mean that is not small, and rows of large numbers. */
    for (size_t r = 0; r < rows && r < 64; r++)
        for (size_t i = 0; i < cols; i++) {
            const double v = lab_get(c->h_in[0], c->type, r * cols + i), half = i < cols / 2 ? v + 5 : v;
            lab_set(c->h_in[0], c->type, r * cols + i,
                    r % 4 == 0   ? half
                    : r % 4 == 1 ? v + 20
                    : r % 4 == 2 ? v * 1000
                                 : v);
        }
    c->out_width = cols;
    /* A result's part before the bias is rounded by what fp32 loses of x - mean and of the variance: with means of ten
     * deviations, and rung 2's shortcut, some 1e-4, and in one thread's long sum the more, with the root of the number of
     * terms. bf16 rounds the result to 8 bits. A row of one amplifies what is left of the difference by 1 / sqrt(eps). */
    c->atol = cols < 4 ? 1e-2 : 2e-4 * sqrt(1 + (double)cols / 8192);
    c->rtol = c->type == LAB_F32 ? 2e-5 : 4e-3;
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    const size_t count = c->type == LAB_F32 ? 4 : 8;
    if (r->number == 1 && !c->dim[2] && c->dim[1] > 1 << 17)
        return "one thread's mean of so many numbers is too coarse";
    if (r->number >= 3 && c->dim[1] % count)
        return "rows must be whole 16-byte vectors: columns a multiple of 4 (fp32) or 8 (bf16)";
    if (r->number == 3 && c->dim[1] > MAX_THREADS * MOST * count)
        return "the row does not fit a block's registers";
    if (r->number >= 5 && c->dim[1] > (size_t)MAX_BLOCKS * PLACES * PART_THREADS * count)
        return "the row does not fit 8 blocks";
    if (r->number == 4 && c->dim[1] > MAX_THREADS * MOST / 2 * count)
        return "the row and the weights do not fit a block's registers";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const Norm n = {c->in[0], c->in[1], c->in[2], c->out, c->dim[0], c->dim[1]};
    if (c->out_count > 0)
        ((Launch *)r->launch)(&n, (int)c->dim[2], c->stream);
}

static double bytes(const LabCase *c)
{
    return (double)lab_type_bytes(c->type) * (2.0 * (double)c->dim[0] + 2) * (double)c->dim[1];
}
static double flops(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 7,
    .name = "norms",
    .title = "LayerNorm and RMSNorm: the row read once, and what the weights cost",
    .page = "transformer.md",
    .look = "Rung 2 reads the row twice, the second time from a cache. From rung 3 on x is read once. What\n"
            "the weights cost shows between rungs 3 and 4, and again between 5 and 6. The ceiling is a copy.",
    .dims = "rows cols rms",
    .size = "16384x8192x0 16384x8192x1",
    .cpu_size = "64x1024x0",
    /* Nine rows of 32768: whole parts, several rows per cluster. Five of 131080: in fp32 a row has 16 blocks, with a ragged
     * end, and the fifth is taken by ticket; in bf16, with LayerNorm, rung 10 asks ahead. */
    .test_sizes = "1x1x0 9x31x0 8x32x1 9x33x0 7x257x1 16x1024x0 9x1000x1 6x2056x0 6x4104x1 5x8192x0 5x16384x1 "
                  "3x40008x0 2x70000x1 9x32768x0 5x131080x1 5x131080x0 600x64x0 600x64x1 3x0x0 0x3x1",
    .sweep = "16384x1024:16384:1024x0",
    .cpu_sweep = "64x256:4096:256x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = norm_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
