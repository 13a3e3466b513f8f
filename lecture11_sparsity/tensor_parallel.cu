/* Tensor parallelism: one linear layer, y = x W', over several GPUs, and the collective that it needs.
 *
 * x is M x K (tokens by inputs), W is N x K, bf16; all GPUs have x and need y. There are two ways to split W over G GPUs:
 *
 *   by columns   GPU r has N / G rows of W, so it computes N / G columns of y. All-gather: each sends its columns.
 *   by rows      GPU r has K / G columns of W and of x, so it computes a share of every element of y. All-reduce.
 *
 * Both ways multiply 2 M N K / G per GPU. What differs is the collective, the layout of what it moves, and what runs
 * meanwhile. The columns of y are strided in memory: N / G elements of every row of N. The rows of its transpose y' are
 * contiguous, and W x' gives y' with the same kernel: the operands change places. A sparse W comes first anyway.
 *
 *   way                      what it does                                            ./run tensor_parallel --way LIST
 *   1  columns y: gather     product; a kernel writes the columns into the other GPUs' y, row by row
 *   2  columns y': gather    product of y'; the same kernel, but a GPU's part is contiguous
 *   3  columns y: copies     8 products of some rows; copy engines move one's result (2D) while the next ones run
 *   4  columns y': copies    the same on y': each copy is contiguous
 *   5  columns y: tiles      the product's tiles go to all GPUs by TMA, while it computes the next ones
 *   6  rows: all-reduce      product, then two-shot
 *   7  rows: tiles added     each tile is added where its rows belong, by TMA; sums are copied out meanwhile
 *   8  columns y': NCCL      11 to 13 with cuBLASLt's product: the yardsticks
 *   9  columns y: NCCL       NCCL gathers contiguous parts, so a kernel puts the columns of y side by side
 *  10  rows: NCCL
 *  11  columns y': cuBLASLt + NCCL   12  columns y: cuBLASLt + NCCL   13  rows: cuBLASLt + NCCL
 *  21  2:4 columns y': gather        22  2:4 columns y: gather        the sparse product stores its transpose
 *  23  2:4 columns y': tiles         24  2:4 rows: tiles added
 *  25  2:4 columns y': NCCL          26  2:4 columns y: NCCL          27  2:4 rows: NCCL
 *
 * Tiles are added in the order in which they come. With two GPUs that is the same sum; with more, the last bits differ
 * from run to run, and all GPUs have the same ones.
 */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "ceil_div.cuh"
#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

#include "../lecture14_tiling/hopper/10_whole.cuh"
#include "allreduce/nccl_open.cuh"
#include "hopper_sparse/ring_sparse.cuh"
#include "tensor_parallel/layer.cuh"
#include "tensor_parallel/lt_open.cuh"

static struct {
    int gpus, M, N, K;
    const char *ways;
} own;

/* ---- products: C (M x N) = A (M x K) times the transpose of B (N x K) ---- */

template <int KIND = TILES_TO_ONE>
static void dense_product(int device, const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K, int ld, int ldc,
                          cudaStream_t stream, void *const *places = NULL, int count = 0)
{
    const HopperGemm p = {A, B, C, M, N, K, ld, ld, ldc};
    CUDA_CHECK(cudaSetDevice(device));
    const char *why = M && N ? whole_launch<Bf16, 128, 256, 4, 2, 1, 0, KIND>(&p, device_multiprocessors(), 8, 256,
                                                                              stream, places, count)
                             : NULL;
    if (why)
        die("%s", why);
    CUDA_CHECK(cudaGetLastError());
}

/* A is M x K and sparse; C is M x N, or with TURNED its transpose. `first` is a row of A, a multiple of 64. */
template <int TURNED = SPARSE_STRAIGHT, int KIND = TILES_TO_ONE>
static void sparse_product(int device, const Sparse *A, int first, const bf16 *B, int ldb, bf16 *C, int M, int N, int K,
                           int ldc, cudaStream_t stream, void *const *places = NULL, int count = 0)
{
    const int lda = (int)sparse24_ld((size_t)K);
    const HopperGemm p = {A->values[device] + (size_t)first * lda, B, C, M, N, K, lda, ldb, ldc};
    CUDA_CHECK(cudaSetDevice(device));
    const uint32_t *meta = A->meta[device] + meta_order_words((size_t)first, (size_t)K);
    const char *why = M && N ? ring_sparse_launch<Bf16, 128, 256, 5, 2, 2, 1, 1, 0, TURNED, KIND>(
                                   &p, meta, device_multiprocessors(), 8, stream, places, count)
                             : NULL;
    if (why)
        die("%s", why);
    CUDA_CHECK(cudaGetLastError());
}

/* ---- collectives of bf16 ---- */

typedef struct Places {
    bf16 *at[MAX_RANKS];
} Places;

/* A rank's `rows` rows of `columns` elements go to the same place of every other rank. Both are multiples of 8. */
__global__ void __launch_bounds__(THREADS)
    push_kernel(const __grid_constant__ View v, const __grid_constant__ Places to, int rows, int columns, int ld)
{
    const unsigned epoch = epoch_begin(v);
    meet(v, 2 * epoch + 1);
    const uint4 *from = (const uint4 *)to.at[v.rank];
    const int warps = gridDim.x * (THREADS / 32), warp = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
    /* A warp moves 4 x 512 bytes of a row at a time. */
    const int each = (columns / 8 + 127) / 128;
    for (int piece = warp; piece < rows * each; piece += warps) {
        const size_t row = (size_t)(piece / each) * (size_t)(ld / 8);
        const int at = piece % each * 128 + threadIdx.x % 32;
        uint4 word[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (at + 32 * k < columns / 8)
                word[k] = from[row + at + 32 * k];
        for (int r = 1; r < v.ranks; r++) {
            uint4 *out = (uint4 *)to.at[(v.rank + r) % v.ranks];
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (at + 32 * k < columns / 8)
                    out[row + at + 32 * k] = word[k];
        }
    }
    meet(v, 2 * epoch + 2);
    epoch_end(v, epoch);
}

__device__ static float2 pair_of(uint32_t w)
{
    return make_float2(__uint_as_float(w << 16), __uint_as_float(w & 0xffff0000u));
}

/* y = the sum of all ranks' shares, in their order, in fp32, rounded once: two-shot. n is a multiple of 8. */
__global__ void __launch_bounds__(THREADS)
    sum_kernel(const __grid_constant__ View v, const __grid_constant__ Places shares, const __grid_constant__ Places y,
               size_t n)
{
    const unsigned epoch = epoch_begin(v);
    meet(v, 2 * epoch + 1);
    const size_t words = n / 8, first = words * (size_t)v.rank / v.ranks, end = words * (size_t)(v.rank + 1) / v.ranks;
    for (size_t i = first + blockIdx.x * (size_t)THREADS + threadIdx.x; i < end; i += (size_t)gridDim.x * THREADS) {
        float2 sum[4] = {};
        for (int r = 0; r < v.ranks; r++) {
            const uint4 w = ((const uint4 *)shares.at[r])[i];
            const uint32_t words4[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float2 p = pair_of(words4[k]);
                sum[k].x += p.x, sum[k].y += p.y;
            }
        }
        const uint4 out = make_uint4(pack_bf16(sum[0].x, sum[0].y), pack_bf16(sum[1].x, sum[1].y),
                                     pack_bf16(sum[2].x, sum[2].y), pack_bf16(sum[3].x, sum[3].y));
        for (int r = 0; r < v.ranks; r++)
            ((uint4 *)y.at[(v.rank + r) % v.ranks])[i] = out;
    }
    meet(v, 2 * epoch + 2);
    epoch_end(v, epoch);
}

/* y (rows x ranks width) from the ranks' parts (rows x width), one after the other. */
__global__ void interleave_kernel(bf16 *y, const bf16 *parts, int rows, int width, int ranks)
{
    const size_t words = (size_t)rows * (size_t)(width / 8) * (size_t)ranks;
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= words)
        return;
    const size_t per_row = (size_t)(width / 8), column = i % per_row, row = i / per_row % (size_t)rows;
    const size_t rank = i / per_row / (size_t)rows;
    ((uint4 *)y)[(row * (size_t)ranks + rank) * per_row + column] = ((const uint4 *)parts)[i];
}

/* As many blocks as there is work for, and as can run at once: they wait for each other. */
static unsigned blocks_for(size_t work, size_t per_block)
{
    const size_t blocks = ceil_div(work, per_block);
    return (unsigned)(blocks < 1 ? 1 : blocks > MAX_BLOCKS ? (size_t)MAX_BLOCKS : blocks);
}

static void push(const Layer *l, int turned)
{
    for (int i = 0; i < l->G; i++) {
        const int n = piece_begin(l->N, i, l->G), count = piece_size(l->N, i, l->G);
        Places to;
        for (int k = 0; k < l->G; k++)
            to.at[k] = l->y[k] + (turned ? (size_t)n * (size_t)l->M : (size_t)n);
        CUDA_CHECK(cudaSetDevice(i));
        /* the same grid on all GPUs, whose parts are equal */
        push_kernel<<<blocks_for((size_t)l->M * (size_t)count, 32 * THREADS), THREADS, 0, l->stream[i]>>>(
            l->view[i], to, turned ? count : l->M, turned ? l->M : count, turned ? l->M : l->N);
    }
}

static void interleave(const Layer *l)
{
    const size_t words = (size_t)l->M * (size_t)l->N / 8;
    for (int i = 0; i < l->G; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        interleave_kernel<<<(unsigned)ceil_div(words, (size_t)256), 256, 0, l->stream[i]>>>(l->y[i], l->gathered[i],
                                                                                            l->M, l->N / l->G, l->G);
    }
}

/* Every rank's `part` (n elements), one after the other, to every rank's `to`. */
static void nccl_gather(const Layer *l, bf16 *const *part, bf16 *const *to, size_t n)
{
    nccl_all(NCCL_ALL_GATHER, NCCL_BF16, l->G, (const void *const *)part, (void *const *)to, n, l->stream);
}

static void nccl_reduce(const Layer *l)
{
    nccl_all(NCCL_ALL_REDUCE, NCCL_BF16, l->G, (const void *const *)l->part, (void *const *)l->y,
             (size_t)l->M * (size_t)l->N, l->stream);
}

/* ---- by columns ---- */

static bf16 *W_part(const Layer *l, int i) { return l->W[i] + (size_t)piece_begin(l->N, i, l->G) * (size_t)l->K; }
static bf16 *y_columns(const Layer *l, int i) { return l->y[i] + piece_begin(l->N, i, l->G); }
static bf16 *y_rows(const Layer *l, int i) { return l->y[i] + (size_t)piece_begin(l->N, i, l->G) * (size_t)l->M; }

static void columns_gather1(const Layer *l)
{
    for (int i = 0; i < l->G; i++)
        dense_product(i, l->x[i], W_part(l, i), y_columns(l, i), l->M, piece_size(l->N, i, l->G), l->K, l->K, l->N,
                      l->stream[i]);
    push(l, 0);
}

static void columns_gather2(const Layer *l)
{
    for (int i = 0; i < l->G; i++)
        dense_product(i, W_part(l, i), l->x[i], y_rows(l, i), piece_size(l->N, i, l->G), l->M, l->K, l->K, l->M,
                      l->stream[i]);
    push(l, 1);
}

enum { COLUMN_PIECES = 8, ROW_PIECES = 8 };

/* Pieces take turns on two streams, so that one begins on the multiprocessors that the other has left. */
static cudaStream_t piece_stream(const Layer *l, int i, int p) { return p % 2 ? l->other[i] : l->stream[i]; }

/* The product in pieces of rows; after each, the copy engines take its result to the other GPUs. */
static void columns_copies(const Layer *l, int turned)
{
    layer_meet(l, l->stream, l->stream, l->ready); /* nobody reads the last y any more */
    layer_meet(l, l->stream, l->other, l->ready);
    for (int p = 0; p < COLUMN_PIECES; p++)
        for (int i = 0; i < l->G; i++) {
            const int mine = piece_size(l->N, i, l->G), all = turned ? mine : l->M;
            const int first = piece_begin(all, p, COLUMN_PIECES), rows = piece_size(all, p, COLUMN_PIECES);
            const int ld = turned ? l->M : l->N, width = turned ? l->M : mine;
            const size_t at = (size_t)first * (size_t)ld + (turned ? (size_t)piece_begin(l->N, i, l->G) * (size_t)l->M
                                                                   : (size_t)piece_begin(l->N, i, l->G));
            if (!rows)
                continue;
            const bf16 *A = (turned ? W_part(l, i) : l->x[i]) + (size_t)first * (size_t)l->K;
            dense_product(i, A, turned ? l->x[i] : W_part(l, i), l->y[i] + at, rows, width, l->K, l->K, ld,
                          piece_stream(l, i, p));
            CUDA_CHECK(cudaEventRecord(l->piece[i][p], piece_stream(l, i, p)));
            CUDA_CHECK(cudaStreamWaitEvent(l->side[i], l->piece[i][p], 0));
            for (int k = 1; k < l->G; k++) {
                const int to = (i + k) % l->G;
                if (turned)
                    CUDA_CHECK(cudaMemcpyPeerAsync(l->y[to] + at, to, l->y[i] + at, i,
                                                   (size_t)rows * (size_t)ld * sizeof(bf16), l->side[i]));
                else
                    CUDA_CHECK(cudaMemcpy2DAsync(l->y[to] + at, (size_t)ld * sizeof(bf16), l->y[i] + at,
                                                 (size_t)ld * sizeof(bf16), (size_t)width * sizeof(bf16), (size_t)rows,
                                                 cudaMemcpyDefault, l->side[i]));
            }
        }
    layer_meet(l, l->side, l->stream, l->moved);
}

static void columns_copies3(const Layer *l) { columns_copies(l, 0); }
static void columns_copies4(const Layer *l) { columns_copies(l, 1); }

// notes: tiles
static void columns_tiles5(const Layer *l)
{
    layer_meet(l, l->stream, l->stream, l->ready);
    for (int i = 0; i < l->G; i++) {
        void *places[TILE_PLACES_MAX];
        for (int k = 0; k < l->G; k++) /* its own y first */
            places[k] = l->y[(i + k) % l->G] + piece_begin(l->N, i, l->G);
        dense_product<TILES_TO_ALL>(i, l->x[i], W_part(l, i), NULL, l->M, piece_size(l->N, i, l->G), l->K, l->K, l->N,
                                    l->stream[i], places, l->G);
    }
    layer_meet(l, l->stream, l->stream, l->moved);
}
// notes end

static void columns_vendor(const Layer *l, int turned)
{
    for (int i = 0; i < l->G; i++) {
        const int mine = piece_size(l->N, i, l->G);
        CUDA_CHECK(cudaSetDevice(i));
        const char *why =
            turned
                ? lt_multiply(i, W_part(l, i), l->K, l->x[i], l->K, l->part[i], l->M, mine, l->M, l->K, l->stream[i])
                : lt_multiply(i, l->x[i], l->K, W_part(l, i), l->K, l->part[i], mine, l->M, mine, l->K, l->stream[i]);
        if (why)
            die("%s", why);
    }
}

static void columns_nccl(const Layer *l, int turned)
{
    nccl_gather(l, l->part, turned ? l->y : l->gathered, (size_t)l->M * (size_t)(l->N / l->G));
    if (!turned)
        interleave(l);
}

static void columns_ours(const Layer *l, int turned)
{
    for (int i = 0; i < l->G; i++) {
        const int mine = piece_size(l->N, i, l->G);
        if (turned)
            dense_product(i, W_part(l, i), l->x[i], l->part[i], mine, l->M, l->K, l->K, l->M, l->stream[i]);
        else
            dense_product(i, l->x[i], W_part(l, i), l->part[i], l->M, mine, l->K, l->K, mine, l->stream[i]);
    }
}

static void columns_nccl8(const Layer *l) { columns_ours(l, 1), columns_nccl(l, 1); }
static void columns_nccl9(const Layer *l) { columns_ours(l, 0), columns_nccl(l, 0); }
static void columns_lt11(const Layer *l) { columns_vendor(l, 1), columns_nccl(l, 1); }
static void columns_lt12(const Layer *l) { columns_vendor(l, 0), columns_nccl(l, 0); }

/* ---- by rows ---- */

static void rows_shares(const Layer *l)
{
    for (int i = 0; i < l->G; i++) {
        const int k = piece_begin(l->K, i, l->G), size = piece_size(l->K, i, l->G);
        dense_product(i, l->x[i] + k, l->W[i] + k, l->part[i], l->M, l->N, size, l->K, l->N, l->stream[i]);
    }
}

static void rows_reduce6(const Layer *l)
{
    rows_shares(l);
    Places shares, y;
    for (int k = 0; k < l->G; k++)
        shares.at[k] = l->part[k], y.at[k] = l->y[k];
    for (int i = 0; i < l->G; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        const size_t n = (size_t)l->M * (size_t)l->N;
        sum_kernel<<<blocks_for(n / (size_t)l->G, 8 * THREADS), THREADS, 0, l->stream[i]>>>(l->view[i], shares, y, n);
    }
}

/* Rank r's share of some rows of the result: added to what is at `to`. */
static void add_share(const Layer *l, int r, int sparse, int first, int rows, bf16 *to, cudaStream_t stream)
{
    const int k = piece_begin(l->K, r, l->G), size = piece_size(l->K, r, l->G), width = sparse ? l->M : l->N;
    if (sparse)
        sparse_product<SPARSE_STRAIGHT, TILES_ADDED>(r, &l->rows, first, l->x[r] + k, l->K, to, rows, width, size,
                                                     width, stream);
    else
        dense_product<TILES_ADDED>(r, l->x[r] + (size_t)first * (size_t)l->K + k, l->W[r] + k, to, rows, width, size,
                                   l->K, width, stream);
}

/* Where piece c of the rows that `owner` sums begins; multiples of 64, as the sparse product wants. With few rows some
 * pieces are empty. */
static int rows_begin(const Layer *l, int rows, int owner, int c)
{
    const int64_t at = owner * ROW_PIECES + c, all = l->G * ROW_PIECES;
    return at == all ? rows : (int)(rows * at / all / 64 * 64);
}

/* Each rank sums a block of rows of the result (of y, or with sparse weights of y'). A rank computes its shares for the
 * others first, then those for itself, in pieces. By then the others' shares have come, so a piece is the sum when its
 * rank has added to it: copy engines take it to all, and it is cleared for the next call. */
static void rows_added(const Layer *l, int sparse)
{
    const int rows = sparse ? l->N : l->M, width = sparse ? l->M : l->N;
    layer_meet(l, l->side, l->stream, l->moved); /* the sums are clear, and nobody reads the last y any more */
    layer_meet(l, l->stream, l->stream, l->ready);
    layer_meet(l, l->stream, l->other, l->ready);
    for (int p = 1; p < l->G + ROW_PIECES; p++) /* the blocks of G - 1 others, then pieces of its own */
        for (int r = 0; r < l->G; r++) {
            const int owner = p < l->G ? (r + p) % l->G : r, c = p < l->G ? 0 : p - l->G;
            const int first = rows_begin(l, rows, owner, c);
            const int end = rows_begin(l, rows, owner, p < l->G ? (int)ROW_PIECES : c + 1);
            add_share(l, r, sparse, first, end - first, l->sums[owner] + (size_t)first * (size_t)width,
                      piece_stream(l, r, p));
            CUDA_CHECK(cudaSetDevice(r));
            CUDA_CHECK(cudaEventRecord(l->piece[r][p], piece_stream(l, r, p)));
        }
    for (int owner = 0; owner < l->G; owner++) {
        CUDA_CHECK(cudaSetDevice(owner));
        for (int p = 1; p < l->G; p++)
            CUDA_CHECK(cudaStreamWaitEvent(l->side[owner], l->piece[(owner - p + l->G) % l->G][p], 0));
        for (int c = 0; c < ROW_PIECES; c++) {
            const int first = rows_begin(l, rows, owner, c), count = rows_begin(l, rows, owner, c + 1) - first;
            const size_t at = (size_t)first * (size_t)width, bytes = (size_t)count * (size_t)width * sizeof(bf16);
            CUDA_CHECK(cudaStreamWaitEvent(l->side[owner], l->piece[owner][l->G + c], 0));
            for (int k = 1; k <= l->G && bytes; k++) {
                const int to = (owner + k) % l->G;
                CUDA_CHECK(cudaMemcpyPeerAsync(l->y[to] + at, to, l->sums[owner] + at, owner, bytes, l->side[owner]));
            }
            if (bytes)
                CUDA_CHECK(cudaMemsetAsync(l->sums[owner] + at, 0, bytes, l->side[owner]));
        }
    }
    layer_meet(l, l->side, l->stream, l->moved);
}

static void rows_added7(const Layer *l) { rows_added(l, 0); }
static void rows_nccl10(const Layer *l) { rows_shares(l), nccl_reduce(l); }

static void rows_lt13(const Layer *l)
{
    for (int i = 0; i < l->G; i++) {
        const int k = piece_begin(l->K, i, l->G);
        CUDA_CHECK(cudaSetDevice(i));
        const char *why = lt_multiply(i, l->x[i] + k, l->K, l->W[i] + k, l->K, l->part[i], l->N, l->M, l->N,
                                      piece_size(l->K, i, l->G), l->stream[i]);
        if (why)
            die("%s", why);
    }
    nccl_reduce(l);
}

/* ---- 2:4 ---- */

/* y' (its rows) or, turned by the product, y (its columns) to C, ldc elements from row to row. */
static void sparse_columns(const Layer *l, int turned, bf16 *(*C)(const Layer *l, int i), int ldc)
{
    for (int i = 0; i < l->G; i++) {
        const int mine = piece_size(l->N, i, l->G), ld = ldc ? ldc : turned ? l->M : mine;
        if (turned)
            sparse_product(i, &l->columns, 0, l->x[i], l->K, C(l, i), mine, l->M, l->K, ld, l->stream[i]);
        else
            sparse_product<SPARSE_TURNED>(i, &l->columns, 0, l->x[i], l->K, C(l, i), mine, l->M, l->K, ld,
                                          l->stream[i]);
    }
}
static bf16 *part_of(const Layer *l, int i) { return l->part[i]; }

static void sparse_gather21(const Layer *l) { sparse_columns(l, 1, y_rows, l->M), push(l, 1); }
static void sparse_gather22(const Layer *l) { sparse_columns(l, 0, y_columns, l->N), push(l, 0); }

static void sparse_tiles23(const Layer *l)
{
    layer_meet(l, l->stream, l->stream, l->ready);
    for (int i = 0; i < l->G; i++) {
        void *places[TILE_PLACES_MAX];
        for (int k = 0; k < l->G; k++)
            places[k] = l->y[(i + k) % l->G] + (size_t)piece_begin(l->N, i, l->G) * (size_t)l->M;
        sparse_product<SPARSE_STRAIGHT, TILES_TO_ALL>(i, &l->columns, 0, l->x[i], l->K, NULL, piece_size(l->N, i, l->G),
                                                      l->M, l->K, l->M, l->stream[i], places, l->G);
    }
    layer_meet(l, l->stream, l->stream, l->moved);
}

static void sparse_added24(const Layer *l) { rows_added(l, 1); }
static void sparse_nccl25(const Layer *l) { sparse_columns(l, 1, part_of, 0), columns_nccl(l, 1); }
static void sparse_nccl26(const Layer *l) { sparse_columns(l, 0, part_of, 0), columns_nccl(l, 0); }

static void sparse_nccl27(const Layer *l)
{
    for (int i = 0; i < l->G; i++) {
        const int k = piece_begin(l->K, i, l->G);
        sparse_product(i, &l->rows, 0, l->x[i] + k, l->K, l->part[i], l->N, l->M, piece_size(l->K, i, l->G), l->M,
                       l->stream[i]);
    }
    nccl_reduce(l);
}

/* ---- the table ---- */

enum { TURNED = 1, PRUNED = 2, BY_NCCL = 4, BY_LT = 8, BY_ROWS = 16, BY_COLUMNS = 0 };

static const struct Way {
    int number;
    const char *name;
    void (*run)(const Layer *l);
    int is;
    int vendor; /* the number of its yardstick: the product, then NCCL */
} ways[] = {
    {1, "columns y: gather", columns_gather1, BY_COLUMNS, 12},
    {2, "columns y': gather", columns_gather2, TURNED, 11},
    {3, "columns y: copies", columns_copies3, BY_COLUMNS, 12},
    {4, "columns y': copies", columns_copies4, TURNED, 11},
    {5, "columns y: tiles", columns_tiles5, BY_COLUMNS, 12},
    {6, "rows: all-reduce", rows_reduce6, BY_ROWS, 13},
    {7, "rows: tiles added", rows_added7, BY_ROWS, 13},
    {8, "columns y': NCCL", columns_nccl8, TURNED | BY_NCCL, 11},
    {9, "columns y: NCCL", columns_nccl9, BY_NCCL, 12},
    {10, "rows: NCCL", rows_nccl10, BY_ROWS | BY_NCCL, 13},
    {11, "columns y': cuBLASLt + NCCL", columns_lt11, TURNED | BY_NCCL | BY_LT, 11},
    {12, "columns y: cuBLASLt + NCCL", columns_lt12, BY_NCCL | BY_LT, 12},
    {13, "rows: cuBLASLt + NCCL", rows_lt13, BY_ROWS | BY_NCCL | BY_LT, 13},
    {21, "2:4 columns y': gather", sparse_gather21, TURNED | PRUNED, 25},
    {22, "2:4 columns y: gather", sparse_gather22, PRUNED, 26},
    {23, "2:4 columns y': tiles", sparse_tiles23, TURNED | PRUNED, 25},
    {24, "2:4 rows: tiles added", sparse_added24, TURNED | PRUNED | BY_ROWS, 27},
    {25, "2:4 columns y': NCCL", sparse_nccl25, TURNED | PRUNED | BY_NCCL, 25},
    {26, "2:4 columns y: NCCL", sparse_nccl26, PRUNED | BY_NCCL, 26},
    {27, "2:4 rows: NCCL", sparse_nccl27, TURNED | PRUNED | BY_ROWS | BY_NCCL, 27},
};
enum { WAYS = LAB_COUNT(ways) };

static const char *way_name(const struct Way *w) { return w->is & BY_NCCL ? nccl_name(w->name) : w->name; }

/* Every GPU's y against the double reference, in the rows that are sampled, and against the first GPU's bits. */
static int verify(const struct Way *w, const Layer *l)
{
    const size_t M = (size_t)l->M, N = (size_t)l->N, bytes = M * N * sizeof(bf16);
    const double *expect = w->is & PRUNED ? l->pruned : l->dense;
    const double *bound = w->is & PRUNED ? l->pruned_bound : l->dense_bound;
    bf16 *first = (bf16 *)layer_host(bytes), *got = (bf16 *)layer_host(bytes);
    int failed = 0;
    for (int i = 0; i < l->G; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaMemsetAsync(l->y[i], 0xff, bytes, l->stream[i]));
    }
    layer_synchronize(l);
    w->run(l);
    layer_synchronize(l);
    for (int i = 0; i < l->G; i++) {
        size_t wrong = 0;
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaMemcpy(i ? got : first, l->y[i], bytes, cudaMemcpyDeviceToHost));
        failed += lab_claim(!i || !memcmp(first, got, bytes), "%s: GPU %d has other bits than GPU 0", way_name(w), i);
#pragma omp parallel for reduction(+ : wrong)
        for (size_t m = 0; m < M; m++)
            for (size_t n = 0; n < N && lab_sample_row(m, M, (double)N * (double)l->K); n++) {
                const double y = bf16_to_float((i ? got : first)[w->is & TURNED ? n * M + m : m * N + n]);
                wrong += !(fabs(y - expect[m * N + n]) <= bound[m * N + n]);
            }
        failed += lab_claim(!wrong, "%s: GPU %d: %zu elements are wrong", way_name(w), i, wrong);
    }
    free(first);
    free(got);
    return failed;
}

/* By the host's clock, since no event sees two GPUs. */
static double time_way(const struct Way *w, const Layer *l, int calls)
{
    const double begin = bench_host_ms();
    for (int k = 0; k < calls; k++)
        w->run(l);
    layer_synchronize(l);
    return (bench_host_ms() - begin) / calls;
}

static int way_runs(const struct Way *w, int nccl_there, int lt_there)
{
    if ((w->is & BY_NCCL && !nccl_there) || (w->is & BY_LT && !lt_there))
        return 0;
    char number[16];
    snprintf(number, sizeof number, ",%d,", w->number);
    char list[256];
    snprintf(list, sizeof list, ",%s,", own.ways ? own.ways : "");
    return !own.ways || strstr(list, number) != NULL;
}

static void time_all(const Layer *l, int rounds, int nccl_there, int lt_there, Table *table)
{
    double *ms[WAYS] = {};
    const int calls = device_is_cpu() ? 1 : 5;
    for (int w = 0; w < WAYS; w++)
        if (way_runs(&ways[w], nccl_there, lt_there)) {
            ms[w] = (double *)layer_host((size_t)rounds * sizeof(double));
            time_way(&ways[w], l, calls);
        }
    for (int k = 0; k < rounds; k++)
        for (int i = 0; i < WAYS; i++) {
            const int w = k % 2 ? WAYS - 1 - i : i;
            if (ms[w])
                ms[w][k] = time_way(&ways[w], l, calls);
        }
    for (int w = 0; w < WAYS; w++) {
        if (!ms[w])
            continue;
        const Stats s = stats_of(ms[w], rounds);
        int v = 0;
        while (v < WAYS && ways[v].number != ways[w].vendor)
            v++;
        table_cell(table, "%d", l->G);
        table_cell(table, "%d", ways[w].number);
        table_cell(table, "%s", way_name(&ways[w]));
        table_cell(table, "%.4f", s.median);
        table_cell(table, "%.4f", s.q1);
        table_cell(table, "%.4f", s.q3);
        table_cell(table, "%.0f", 2e-9 * l->M * l->N * l->K / s.median);
        if (ms[v] && !device_is_cpu())
            table_cell(table, "%.3f", stats_paired_ratio(ms[v], ms[w], rounds));
        else
            table_cell(table, "%s", "");
    }
    for (int w = 0; w < WAYS; w++)
        free(ms[w]);
}

static int show(const LabOptions *options)
{
    int there = 0, failed = 0;
    CUDA_CHECK(cudaGetDeviceCount(&there));
    const int gpus = own.gpus ? own.gpus : there < TILE_PLACES_MAX ? there : (int)TILE_PLACES_MAX;
    if (gpus > there)
        die_usage("--gpus %d: there %s %d", gpus, there == 1 ? "is" : "are", there);
    if (hopper_here()) {
        printf("    left out: %s\n", hopper_here());
        return 0;
    }
    const int small = device_is_cpu() || options->small, side = device_is_cpu() ? 384 : 1024;
    const int M = own.M ? own.M : small ? side / 4 : 8192, N = own.N ? own.N : small ? side : 8192;
    const int K = own.K ? own.K : small ? side : 8192;
    if (N % (16 * gpus) || K % (16 * gpus) || M % 16)
        die_usage("--shape: N and K are multiples of 16 times the GPUs, M of 16");
    Layer layer;
    layer_make(&layer, gpus, M, N, K, options->seed);
    const char *no_nccl = options->no_vendor ? "left out" : nccl_begin(gpus);
    const char *no_lt = options->no_vendor ? "left out" : lt_begin();
    if (no_nccl)
        printf("    NCCL: %s\n", no_nccl);
    for (int w = 0; w < WAYS; w++)
        if (way_runs(&ways[w], !no_nccl, !no_lt))
            failed += verify(&ways[w], &layer);
    printf("    %d GPU%s, %d x %d x %d: %s\n", gpus, gpus > 1 ? "s" : "", M, N, K,
           failed ? "wrong" : "every way is right on every GPU");
    if (!failed && !options->verify_only) {
        Table *t = table_new(">ranks|>way|name|>ms|>q1|>q3|>tflops|>vs_nccl");
        time_all(&layer, options->runs < 3 ? 3 : options->runs, !no_nccl, !no_lt, t);
        table_print(t, stdout, 4);
        side_table(options, NULL, t);
        table_free(t);
    }
    if (!no_nccl)
        nccl_end();
    layer_free(&layer);
    return failed;
}

static const struct argp_option argp_options[] = {
    {"gpus", 'g', "G", 0, "how many GPUs to use, at most 8 (default: all)", 0},
    {"shape", 'S', "MxNxK", 0, "tokens, outputs and inputs of the layer", 0},
    {"way", 'w', "LIST", 0, "only these ways: 5,7,13", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)state;
    char end;
    switch (key) {
    case 'g':
        if (sscanf(argument, "%d%c", &own.gpus, &end) != 1 || own.gpus < 1 || own.gpus > TILE_PLACES_MAX)
            die_usage("--gpus is a number from 1 to %d, not \"%s\"", (int)TILE_PLACES_MAX, argument);
        return 0;
    case 'S':
        if (sscanf(argument, "%dx%dx%d%c", &own.M, &own.N, &own.K, &end) != 3 || own.M < 16 || own.N < 16 ||
            own.K < 16 || own.M > 65536 || own.N > 65536 || own.K > 65536)
            die_usage("--shape is MxNxK, each from 16 to 65536, not \"%s\"", argument);
        return 0;
    case 'w': own.ways = argument; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {argp_options, parse, 0, 0, 0, 0, 0};

static const Lab lab = {
    .order = 13,
    .name = "tensor_parallel",
    .title = "a layer over several GPUs: the collective after the product, and inside it",
    .page = "gpus.md",
    .look = "Each GPU does its share of the product in the same time. What differs is how much of the collective\n"
            "is still to do when the product has ended.",
    .show = show,
    .argp = &argp,
};
LAB_MAIN(lab)
