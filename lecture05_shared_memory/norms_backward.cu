/* The gradients of LayerNorm and RMSNorm. With n = (x - mean) * scale, scale = 1 / sqrt(variance + eps), y = n w + b
 * and g = dy w, for each row
 *
 *     dx = scale * (g - mean of g - n * mean of (g n))       RMSNorm (rms = 1): no mean in n, and no mean of g
 *     dw = sum over all rows of dy n,  db = sum over all rows of dy       (RMSNorm has no b: 0)
 *
 * x, dy and dx are rows x cols, fp32 or bf16; arithmetic is fp32. dx wants sums along rows, dw and db sums down
 * columns: a kernel that has read x and dy for the one has them for the other. Three tensors must be read or written:
 * that is the floor.
 *
 *   rung                    idea                                                     ./run norms_backward --rung N
 *   1  rows, then columns   dx by one block per row; then one thread per column walks down all rows: x and dy are read
 *                           three times (x four times in LayerNorm, for the mean)
 *   2  both at once         a block does many rows, and its threads' columns sum up in registers; a second, small
 *                           kernel adds the blocks' sums
 *   3  next row prefetched  x and dy of the next row are asked for before this one's sums are known
 *
 * The blocks' sums are added in the order of the blocks, and a block's rows are always the same, so the bits are the
 * same too. The output holds dx, then dw, then db.
 */
#include "ceil_div.cuh"
#include "lab.h"

#include "vectors.cuh"

#include <math.h>
#include <stdlib.h>

typedef struct Norm {
    const void *x, *dy, *weight;
    void *out;      /* (rows + 2) x cols */
    float *scratch; /* rung 1: scale and mean of each row; 2 and 3: sums of each block, 2 x cols */
    size_t rows, cols;
} Norm;
typedef void Launch(const Norm *n, int rms, cudaStream_t stream);

static const float EPSILON = 1e-5f;
enum { MAX_THREADS = 512, VALUES = 16 /* of a row, a thread; more would spill */, MAX_BLOCKS = 512 };

static void norm_cpu(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    const int rms = (int)c->dim[2];
    double *dw = c->expect + rows * cols, *db = dw + cols;
    for (size_t i = 0; i < 2 * cols; i++)
        dw[i] = 0;
#pragma omp parallel
    {
        double *n = (double *)calloc(3 * cols + 1, sizeof(double)), *my_dw = n + cols, *my_db = my_dw + cols;
#pragma omp for
        for (size_t r = 0; r < rows; r++) {
            double mean = 0, variance = 0, sum_g = 0, sum_gn = 0;
            for (size_t i = 0; i < cols; i++)
                mean += n[i] = lab_get(c->h_in[0], c->type, r * cols + i);
            mean = rms ? 0 : mean / (double)cols;
            for (size_t i = 0; i < cols; i++)
                variance += (n[i] - mean) * (n[i] - mean) / (double)cols;
            const double scale = 1 / sqrt(variance + (double)EPSILON);
            for (size_t i = 0; i < cols; i++) {
                const double dy = lab_get(c->h_in[1], c->type, r * cols + i), g = dy * lab_get(c->h_in[2], c->type, i);
                n[i] = (n[i] - mean) * scale;
                sum_g += g;
                sum_gn += g * n[i];
                my_dw[i] += dy * n[i];
                my_db[i] += dy;
                c->expect[r * cols + i] = g;
            }
            for (size_t i = 0; i < cols; i++)
                c->expect[r * cols + i] =
                    scale * (c->expect[r * cols + i] - ((rms ? 0 : sum_g) + n[i] * sum_gn) / (double)cols);
        }
#pragma omp critical
        for (size_t i = 0; i < cols; i++) {
            dw[i] += my_dw[i];
            db[i] += rms ? 0 : my_db[i];
        }
        free(n);
    }
}

/* The block's three sums, in every thread; `s` is shared, 3 x 32. */
__device__ static float3 block_sums3(float a, float b, float c, float *s)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    a = warp_sum(a);
    b = warp_sum(b);
    c = warp_sum(c);
    if (lane == 0) {
        s[warp] = a;
        s[32 + warp] = b;
        s[64 + warp] = c;
    }
    __syncthreads();
    const bool mine = lane < warps;
    return make_float3(warp_sum(mine ? s[lane] : 0), warp_sum(mine ? s[32 + lane] : 0),
                       warp_sum(mine ? s[64 + lane] : 0));
}

/* 1: x and dy twice for dx ... */
template <typename T, bool RMS>
__global__ void norm_kernel1_rows(const T *x, const T *dy, const T *weight, T *dx, float2 *stats, size_t cols)
{
    __shared__ float2 s[32];
    __shared__ float s3[96];
    const size_t row = blockIdx.x;
    x += row * cols;
    dy += row * cols;
    float sum = 0, squares = 0, g_sum = 0, gd_sum = 0;
    if (!RMS) {
        for (size_t i = threadIdx.x; i < cols; i += blockDim.x)
            sum += load(x + i);
        sum = block_sums(sum, 0, s).x;
    }
    const float mean = sum / (float)cols;
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x) {
        const float d = load(x + i) - mean, g = load(dy + i) * load(weight + i);
        squares += d * d;
        g_sum += g;
        gd_sum += g * d;
    }
    const float3 sums = block_sums3(squares, g_sum, gd_sum, s3);
    const float scale = rsqrtf(sums.x / (float)cols + EPSILON), g_mean = RMS ? 0 : sums.y / (float)cols,
                gn_mean = sums.z * scale / (float)cols;
    for (size_t i = threadIdx.x; i < cols; i += blockDim.x) {
        const float n = (load(x + i) - mean) * scale, g = load(dy + i) * load(weight + i);
        store(dx + row * cols + i, scale * (g - g_mean - n * gn_mean));
    }
    if (threadIdx.x == 0)
        stats[row] = make_float2(scale, mean);
}

/* ... and once more for dw and db. */
template <typename T, bool RMS>
__global__ void norm_kernel1_columns(const T *x, const T *dy, const float2 *stats, T *dw, T *db, size_t rows,
                                     size_t cols)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cols)
        return;
    float w = 0, b = 0;
    for (size_t r = 0; r < rows; r++) {
        const float g = load(dy + r * cols + i);
        w += g * (load(x + r * cols + i) - stats[r].y) * stats[r].x;
        b += g;
    }
    store(dw + i, w);
    store(db + i, RMS ? 0 : b);
}

template <typename T, bool RMS> static void launch1(const Norm *n, cudaStream_t stream)
{
    T *out = (T *)n->out;
    float2 *stats = (float2 *)n->scratch;
    norm_kernel1_rows<T, RMS><<<(unsigned)n->rows, 256, 0, stream>>>((const T *)n->x, (const T *)n->dy,
                                                                     (const T *)n->weight, out, stats, n->cols);
    norm_kernel1_columns<T, RMS><<<(unsigned)ceil_div(n->cols, 64), 64, 0, stream>>>(
        (const T *)n->x, (const T *)n->dy, stats, out + n->rows * n->cols, out + (n->rows + 1) * n->cols, n->rows,
        n->cols);
}

template <typename T, int EACH> __device__ static void fetch_row(Vector<T> *row, const Vector<T> *from, int vectors)
{
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int i = e * blockDim.x + threadIdx.x;
        row[e].bits = i < vectors ? from[i].bits : make_uint4(0, 0, 0, 0);
    }
}

/* 2 and 3. A thread past the row's end has zeros for x, dy and weights: only its squares would count. */
template <typename T, bool RMS, int EACH, bool AHEAD>
__global__ void __launch_bounds__(MAX_THREADS)
    norm_kernel2(const Vector<T> *x, const Vector<T> *dy, const Vector<T> *weight, Vector<T> *dx, float *parts,
                 size_t rows, int vectors)
{
    constexpr int COUNT = Vector<T>::COUNT;
    __shared__ float2 s[2][32];
    __shared__ float s3[2][96];
    Vector<T> row[EACH], grad[EACH], next_row[EACH], next_grad[EACH], w[EACH];
    float dw[EACH * COUNT] = {0}, db[EACH * COUNT] = {0};
    const float inverse = 1 / ((float)vectors * COUNT);
    fetch_row<T, EACH>(w, weight, vectors);
    size_t r = blockIdx.x;
    if (AHEAD) {
        fetch_row<T, EACH>(next_row, x + r * vectors, vectors);
        fetch_row<T, EACH>(next_grad, dy + r * vectors, vectors);
    }
    for (int turn = 0; r < rows; r += gridDim.x, turn ^= 1) {
        if (AHEAD) {
#pragma unroll
            for (int e = 0; e < EACH; e++)
                row[e] = next_row[e], grad[e] = next_grad[e];
            if (r + gridDim.x < rows) {
                fetch_row<T, EACH>(next_row, x + (r + gridDim.x) * vectors, vectors);
                fetch_row<T, EACH>(next_grad, dy + (r + gridDim.x) * vectors, vectors);
            }
        } else {
            fetch_row<T, EACH>(row, x + r * vectors, vectors);
            fetch_row<T, EACH>(grad, dy + r * vectors, vectors);
        }
        float v[COUNT], g[COUNT], k[COUNT], sum = 0, squares = 0, g_sum = 0, gd_sum = 0;
        if (!RMS) {
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                row[e].get(v);
#pragma unroll
                for (int j = 0; j < COUNT; j++)
                    sum += v[j];
            }
            sum = block_sums(sum, 0, s[turn]).x;
        }
        const float mean = sum * inverse;
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const bool there = (int)(e * blockDim.x + threadIdx.x) < vectors;
            row[e].get(v);
            grad[e].get(g);
            w[e].get(k);
#pragma unroll
            for (int j = 0; j < COUNT; j++) {
                const float d = v[j] - mean;
                squares += there ? d * d : 0;
                g_sum += g[j] * k[j];
                gd_sum += g[j] * k[j] * d;
            }
        }
        const float3 sums = block_sums3(squares, g_sum, gd_sum, s3[turn]);
        const float scale = rsqrtf(sums.x * inverse + EPSILON), g_mean = RMS ? 0 : sums.y * inverse,
                    gn_mean = sums.z * scale * inverse;
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int i = e * blockDim.x + threadIdx.x;
            row[e].get(v);
            grad[e].get(g);
            w[e].get(k);
#pragma unroll
            for (int j = 0; j < COUNT; j++) {
                const float n = (v[j] - mean) * scale;
                dw[e * COUNT + j] += g[j] * n;
                if (!RMS)
                    db[e * COUNT + j] += g[j];
                v[j] = scale * (g[j] * k[j] - g_mean - n * gn_mean);
            }
            Vector<T> result;
            result.set(v);
            if (i < vectors)
                dx[r * vectors + i] = result;
        }
    }
    parts += (size_t)blockIdx.x * 2 * vectors * COUNT;
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int i = e * blockDim.x + threadIdx.x;
        if (i < vectors)
#pragma unroll
            for (int j = 0; j < COUNT; j++) {
                parts[i * COUNT + j] = dw[e * COUNT + j];
                parts[(vectors + i) * COUNT + j] = db[e * COUNT + j];
            }
    }
}

/* Adds up the blocks' sums: 32 columns per block, eight threads per column. */
template <typename T> __global__ void norm_kernel_parts(const float *parts, T *out, int blocks, size_t count)
{
    __shared__ float s[8][32];
    const size_t i = (size_t)blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int p = threadIdx.y; p < blocks; p += 8)
        sum += i < count ? parts[p * count + i] : 0;
    s[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || i >= count)
        return;
    for (int y = 1; y < 8; y++)
        sum += s[y][threadIdx.x];
    store(out + i, sum);
}

template <typename T, bool RMS, int EACH, bool AHEAD> static void launch_wide(const Norm *n, cudaStream_t stream)
{
    const int vectors = (int)(n->cols / Vector<T>::COUNT);
    const unsigned threads = (unsigned)ceil_div(ceil_div((size_t)vectors, EACH), 32) * 32;
    auto kernel = norm_kernel2<T, RMS, EACH, AHEAD>;
    int multiprocessors = 0, each = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)threads, 0));
    size_t blocks = (size_t)multiprocessors * (size_t)each;
    blocks = blocks < (size_t)MAX_BLOCKS ? blocks : (size_t)MAX_BLOCKS;
    blocks = blocks < n->rows ? blocks : n->rows;
    kernel<<<(unsigned)blocks, threads, 0, stream>>>((const Vector<T> *)n->x, (const Vector<T> *)n->dy,
                                                     (const Vector<T> *)n->weight, (Vector<T> *)n->out, n->scratch,
                                                     n->rows, vectors);
    norm_kernel_parts<<<(unsigned)ceil_div(2 * n->cols, 32), dim3(32, 8), 0, stream>>>(
        n->scratch, (T *)n->out + n->rows * n->cols, (int)blocks, 2 * n->cols);
}

template <typename T, bool RMS, bool AHEAD> static void launch2(const Norm *n, cudaStream_t stream)
{
    const size_t vectors = n->cols / Vector<T>::COUNT;
    if (vectors <= MAX_THREADS)
        launch_wide<T, RMS, 1, AHEAD>(n, stream);
    else if (vectors <= 2 * MAX_THREADS)
        launch_wide<T, RMS, 2, AHEAD>(n, stream);
    else if constexpr (VALUES / Vector<T>::COUNT == 4)
        launch_wide<T, RMS, 4, AHEAD>(n, stream);
}

template <typename T> static void norm1(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch1<T, true>(n, stream) : launch1<T, false>(n, stream);
}
template <typename T> static void norm2(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch2<T, true, false>(n, stream) : launch2<T, false, false>(n, stream);
}
template <typename T> static void norm3(const Norm *n, int rms, cudaStream_t stream)
{
    rms ? launch2<T, true, true>(n, stream) : launch2<T, false, true>(n, stream);
}

#define BOTH(number, name, launch)                                                                                     \
    {number, name, LAB_LAUNCH(Launch, launch<float>), LAB_F32, 0, 0},                                                  \
    {                                                                                                                  \
        number, name, LAB_LAUNCH(Launch, launch<__nv_bfloat16>), LAB_BF16, 0, 0                                        \
    }

static const LabRung rungs[] = {
    BOTH(1, "rows, then columns", norm1),
    BOTH(2, "both at once", norm2),
    BOTH(3, "next row prefetched", norm3),
};

static size_t scratch_bytes(size_t rows, size_t cols)
{
    const size_t parts = MAX_BLOCKS * 2 * cols * sizeof(float), stats = rows * sizeof(float2);
    return parts > stats ? parts : stats;
}

/* For transformer_pytorch.py, through ctypes: one rung (2 or later) on device memory, asynchronous on `stream`. `out`
 * is (rows + 2) x cols, `scratch` of norm_backward_scratch_bytes(cols). */
extern "C" void norm_backward_rung(int number, int bf16, int rms, const void *x, const void *dy, const void *weight,
                                   void *out, void *scratch, size_t rows, size_t cols, cudaStream_t stream)
{
    const Norm n = {x, dy, weight, out, (float *)scratch, rows, cols};
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number && number > 1 && (rungs[i].type == LAB_BF16) == bf16)
            ((Launch *)rungs[i].launch)(&n, rms, stream);
}
extern "C" size_t norm_backward_scratch_bytes(size_t cols) { return scratch_bytes(0, cols); }

static const char *setup(LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    if (rows > INT32_MAX || cols > 1 << 24)
        return "at most 2^31 - 1 rows of 2^24 columns";
    if (c->dim[2] > 1)
        return "rms is 0 (LayerNorm) or 1 (RMSNorm)";
    lab_input(c, 0, rows * cols, c->type);
    lab_input(c, 1, rows * cols, c->type);
    lab_input(c, 2, cols, c->type);
    lab_output(c, (rows + 2) * cols, c->type);
    lab_fill_uniform(c, 0, -1, 3);
    lab_fill_uniform(c, 1, -1, 1);
    lab_fill_uniform(c, 2, 0.5, 1.5);
    c->out_width = cols;
    /* dw and db are sums of `rows` numbers of both signs, and dx a difference; bf16 rounds each result to 8 bits. */
    c->atol = cols < 4 ? 1e-1 : 2e-5 * (1 + sqrt((double)rows));
    c->rtol = c->type == LAB_F32 ? 2e-5 : 4e-3;
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    const size_t count = c->type == LAB_F32 ? 4 : 8;
    if (r->number >= 2 && c->dim[1] % count)
        return "rows must be whole 16-byte vectors: columns a multiple of 4 (fp32) or 8 (bf16)";
    if (r->number >= 2 && c->dim[1] > MAX_THREADS * VALUES)
        return "the row does not fit a block's registers";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const Norm n = {c->in[0],  c->in[1], c->in[2], c->out, (float *)lab_scratch(c, scratch_bytes(c->dim[0], c->dim[1])),
                    c->dim[0], c->dim[1]};
    if (c->dim[0] > 0 && c->dim[1] > 0)
        ((Launch *)r->launch)(&n, (int)c->dim[2], c->stream);
}

static double bytes(const LabCase *c)
{
    return (double)lab_type_bytes(c->type) * (3.0 * (double)c->dim[0] + 3) * (double)c->dim[1];
}
static double flops(const LabCase *c) { return 20.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 8,
    .name = "norms_backward",
    .title = "sums along rows and down columns from one read",
    .page = "transformer.md",
    .look = "Rung 1 reads x and dy three times or more, the last time down columns with few threads. Rungs 2 and 3\n"
            "read them once, and keep the columns' sums in registers from row to row. The table compares\n"
            "with a copy, which moves two tensors; the gradients move three.",
    .dims = "rows cols rms",
    .size = "16384x8192x0 16384x8192x1",
    .cpu_size = "64x1024x0",
    .test_sizes = "1x4x0 9x31x0 8x32x1 9x33x0 7x256x1 16x1024x0 9x1000x1 6x2056x0 6x4104x1 5x8192x0 300x64x0 300x64x1",
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
