/* layer.cuh: what tensor_parallel.cu keeps per GPU: its part of the weights, its buffers, three streams. */
#ifndef LAYER_CUH
#define LAYER_CUH

#include <math.h>
#include <stdlib.h>

#include "../../common/sparse.h"
#include "../allreduce/meet.cuh"
#include "../hopper_sparse/meta_order.h"
#include "device.h"
#include "lab.h"
#include "random.h"

typedef uint16_t bf16; /* its bits */
enum { PIECES_MAX = 64 };

typedef struct Sparse {
    bf16 *values[MAX_RANKS];
    uint32_t *meta[MAX_RANKS];
} Sparse;

typedef struct Layer {
    int G, M, N, K;
    cudaStream_t stream[MAX_RANKS], other[MAX_RANKS]; /* products; of pieces, both */
    cudaStream_t side[MAX_RANKS];                     /* copies */
    cudaEvent_t ready[MAX_RANKS], moved[MAX_RANKS], piece[MAX_RANKS][PIECES_MAX];
    bf16 *x[MAX_RANKS], *W[MAX_RANKS]; /* M x K and N x K, whole on each GPU, which reads its part */
    Sparse columns, rows;              /* W pruned to 2:4: the rank's rows of it, and the rank's columns */
    bf16 *y[MAX_RANKS];                /* the result, M x N or (y') N x M */
    bf16 *part[MAX_RANKS];             /* M N: a rank's part of it, or its share of the sum */
    bf16 *gathered[MAX_RANKS];         /* M N: the parts of all ranks, one after the other */
    bf16 *sums[MAX_RANKS];             /* M N: of a rank's rows; zero between calls */
    View view[MAX_RANKS];              /* only signals are used */
    double *dense, *pruned, *dense_bound,
        *pruned_bound; /* host, M x N: y in the sampled rows, and how far off it may be */
} Layer;

/* Where piece i of `pieces` begins, of n rows or columns: multiples of 16. */
static inline int piece_begin(int n, int i, int pieces)
{
    return i == pieces ? n : (int)((int64_t)n * i / pieces / 16 * 16);
}
static inline int piece_size(int n, int i, int pieces)
{
    return piece_begin(n, i + 1, pieces) - piece_begin(n, i, pieces);
}

/* All GPUs' streams `from` have come here before any `to` goes on. */
static inline void layer_meet(const Layer *l, const cudaStream_t *from, const cudaStream_t *to,
                              const cudaEvent_t *event)
{
    for (int i = 0; i < l->G; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaEventRecord(event[i], from[i]));
    }
    for (int i = 0; i < l->G; i++)
        for (int k = 0; k < l->G; k++)
            if (k != i || from != to)
                CUDA_CHECK(cudaStreamWaitEvent(to[i], event[k], 0));
}

static inline void layer_synchronize(const Layer *l)
{
    for (int i = 0; i < l->G; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaStreamSynchronize(l->stream[i]));
        CUDA_CHECK(cudaStreamSynchronize(l->other[i]));
        CUDA_CHECK(cudaStreamSynchronize(l->side[i]));
    }
}

static inline void *layer_host(size_t bytes)
{
    void *p = malloc(bytes + 64);
    if (!p)
        die("no memory for %zu bytes", bytes);
    return p;
}

static inline bf16 *layer_random(size_t n, uint64_t seed)
{
    bf16 *h = (bf16 *)layer_host(n * sizeof *h);
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        h[i] = bf16_from_float((float)(2 * random_uniform(seed, i) - 1));
    return h;
}

/* `rows` rows of `columns` elements of W, ld elements from row to row, compressed and put on the current device. */
static inline void layer_compress(Sparse *s, int rank, const bf16 *W, size_t rows, size_t columns, size_t ld)
{
    const size_t values_n = sparse24_value_count(rows, columns), order_n = meta_order_words(rows, columns);
    bf16 *values = (bf16 *)layer_host(values_n * sizeof *values);
    uint32_t *meta = (uint32_t *)layer_host(sparse24_meta_words(rows, columns) * sizeof *meta);
    uint32_t *order = (uint32_t *)layer_host(order_n * sizeof *order);
    sparse24_compress_bf16(W, rows, columns, ld, values, meta);
    meta_order(meta, rows, columns, order);
    CUDA_CHECK(cudaMalloc((void **)&s->values[rank], values_n * sizeof *values));
    CUDA_CHECK(cudaMalloc((void **)&s->meta[rank], order_n * sizeof *order));
    CUDA_CHECK(cudaMemcpy(s->values[rank], values, values_n * sizeof *values, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(s->meta[rank], order, order_n * sizeof *order, cudaMemcpyHostToDevice));
    free(values);
    free(meta);
    free(order);
}

/* The sampled rows of y = x W', in double, and a bound for the error: the shares of the ranks are rounded to bf16, and so
 * is each sum of them; fp32 rounds each of K additions. */
static inline void layer_expect(const Layer *l, const bf16 *x, const bf16 *W, double *y, double *bound)
{
    const size_t M = (size_t)l->M, N = (size_t)l->N, K = (size_t)l->K;
    double *xs = (double *)layer_host(M * K * sizeof *xs);
#pragma omp parallel for schedule(dynamic)
    for (size_t m = 0; m < M; m++)
        if (lab_sample_row(m, M, (double)N * (double)K))
            for (size_t k = 0; k < K; k++)
                xs[m * K + k] = bf16_to_float(x[m * K + k]);
#pragma omp parallel for schedule(dynamic)
    for (size_t n = 0; n < N; n++) {
        double *w = (double *)layer_host(K * sizeof *w);
        for (size_t k = 0; k < K; k++)
            w[k] = bf16_to_float(W[n * K + k]);
        for (size_t m = 0; m < M; m++) {
            if (!lab_sample_row(m, M, (double)N * (double)K))
                continue;
            double sum = 0, shares = 0;
            for (int r = 0; r < l->G; r++) {
                double share = 0;
                for (int k = piece_begin(l->K, r, l->G); k < piece_begin(l->K, r + 1, l->G); k++)
                    share += xs[m * K + (size_t)k] * w[k];
                sum += share;
                shares += fabs(share);
            }
            y[m * N + n] = sum;
            bound[m * N + n] = (shares * l->G + fabs(sum)) / 256 + 1e-6 * (1 + (double)K) / 4;
        }
        free(w);
    }
    free(xs);
}

static inline void layer_rank_make(Layer *l, int i, const bf16 *x, const bf16 *W)
{
    const size_t M = (size_t)l->M, N = (size_t)l->N, K = (size_t)l->K, bytes = M * N * sizeof(bf16);
    CUDA_CHECK(cudaSetDevice(i));
    for (int k = 0; k < l->G; k++)
        if (k != i) {
            const cudaError_t e = cudaDeviceEnablePeerAccess(k, 0);
            if (e != cudaErrorPeerAccessAlreadyEnabled)
                CUDA_CHECK(e);
            else
                (void)cudaGetLastError();
        }
    CUDA_CHECK(cudaStreamCreateWithFlags(&l->stream[i], cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&l->other[i], cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&l->side[i], cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&l->ready[i], cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&l->moved[i], cudaEventDisableTiming));
    for (int p = 0; p < PIECES_MAX; p++)
        CUDA_CHECK(cudaEventCreateWithFlags(&l->piece[i][p], cudaEventDisableTiming));
    CUDA_CHECK(cudaMalloc((void **)&l->x[i], M * K * sizeof(bf16)));
    CUDA_CHECK(cudaMalloc((void **)&l->W[i], N * K * sizeof(bf16)));
    CUDA_CHECK(cudaMalloc((void **)&l->y[i], bytes));
    l->part[i] = (bf16 *)device_alloc_nan(bytes);
    CUDA_CHECK(cudaMalloc((void **)&l->gathered[i], bytes));
    CUDA_CHECK(cudaMalloc((void **)&l->sums[i], bytes));
    CUDA_CHECK(cudaMemset(l->sums[i], 0, bytes));
    CUDA_CHECK(cudaMemcpy(l->x[i], x, M * K * sizeof(bf16), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(l->W[i], W, N * K * sizeof(bf16), cudaMemcpyHostToDevice));
    const int n = piece_begin(l->N, i, l->G), k = piece_begin(l->K, i, l->G);
    layer_compress(&l->columns, i, W + (size_t)n * K, (size_t)piece_size(l->N, i, l->G), K, K);
    layer_compress(&l->rows, i, W + k, N, (size_t)piece_size(l->K, i, l->G), K);
    Signals *signals;
    CUDA_CHECK(cudaMalloc((void **)&signals, sizeof *signals));
    CUDA_CHECK(cudaMemset(signals, 0, sizeof *signals));
    for (int v = 0; v < l->G; v++)
        l->view[v].signals[i] = signals;
    l->view[i].rank = i;
    l->view[i].ranks = l->G;
    CUDA_CHECK(cudaDeviceSynchronize()); /* the streams do not wait for what was set in the default one */
}

static inline void layer_make(Layer *l, int G, int M, int N, int K, uint64_t seed)
{
    *l = (Layer){};
    l->G = G, l->M = M, l->N = N, l->K = K;
    const size_t n = (size_t)M * (size_t)N;
    bf16 *x = layer_random((size_t)M * (size_t)K, seed), *W = layer_random((size_t)N * (size_t)K, seed + 1);
    double **all[] = {&l->dense, &l->pruned, &l->dense_bound, &l->pruned_bound};
    for (int i = 0; i < 4; i++)
        *all[i] = (double *)layer_host(n * sizeof(double));
    for (int i = 0; i < G; i++)
        layer_rank_make(l, i, x, W);
    layer_expect(l, x, W, l->dense, l->dense_bound);
    /* The pruned weights: what was dropped of each four is zero. Each rank's columns are whole fours. */
    bf16 *values = (bf16 *)layer_host(sparse24_value_count((size_t)N, (size_t)K) * sizeof *values);
    uint32_t *meta = (uint32_t *)layer_host(sparse24_meta_words((size_t)N, (size_t)K) * sizeof *meta);
    const char *why = NULL;
    sparse24_compress_bf16(W, (size_t)N, (size_t)K, (size_t)K, values, meta);
    if (sparse24_decompress_bf16(values, meta, (size_t)N, (size_t)K, W, (size_t)K, &why))
        die("2:4: %s", why);
    layer_expect(l, x, W, l->pruned, l->pruned_bound);
    free(values);
    free(meta);
    free(x);
    free(W);
}

static inline void layer_free(Layer *l)
{
    for (int i = 0; i < l->G; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaStreamDestroy(l->stream[i]));
        CUDA_CHECK(cudaStreamDestroy(l->other[i]));
        CUDA_CHECK(cudaStreamDestroy(l->side[i]));
        CUDA_CHECK(cudaEventDestroy(l->ready[i]));
        CUDA_CHECK(cudaEventDestroy(l->moved[i]));
        for (int p = 0; p < PIECES_MAX; p++)
            CUDA_CHECK(cudaEventDestroy(l->piece[i][p]));
        void *const all[] = {l->x[i],
                             l->W[i],
                             l->y[i],
                             l->part[i],
                             l->gathered[i],
                             l->sums[i],
                             l->columns.values[i],
                             l->columns.meta[i],
                             l->rows.values[i],
                             l->rows.meta[i],
                             l->view[i].signals[i]};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            CUDA_CHECK(cudaFree(all[k]));
    }
    free(l->dense);
    free(l->pruned);
    free(l->dense_bound);
    free(l->pruned_bound);
    CUDA_CHECK(cudaSetDevice(0));
}

#endif
