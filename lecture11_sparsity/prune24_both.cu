/* Prune to 2:4 both ways while training: W and its transpose compressed, in one pass, at every step.
 *
 * Forward needs W x, backward needs the transpose: both only run sparse if every 4 x 4 tile keeps two in each row and
 * two in each column. There are 90 such patterns, and the best is the one that keeps the largest sum of magnitudes
 * (prune24/runtime.cuh finds it without trying all 90). Out come four arrays: the values of W and of its transpose, and
 * the metadata of both: 9/8 of the dense bytes, so a step moves at least 4 1/4 bytes per element,
 * where a copy moves 4.
 *
 *   rung                        idea                                                     ./run prune24_both --rung N
 *   1  one thread per tile      2-byte loads and stores, metadata by atomics; any shape
 *   2  8 x 8 per thread         four tiles per thread: 16-byte loads, whole sectors stored, metadata gathered by
 *                               shuffles
 *   3  one tile ahead           the next tile is on its way into shared memory while the best patterns of this are
 *                               sought
 *   4  whole lines              both outputs through shared memory too: 128 bytes of a row at once, not runs of 32 and
 *                               64; gains little: we think that the writes were not rung 3's limit
 */
#include <stdlib.h>

#include "ceil_div.cuh"
#include "lab.h"
#include "prune24/runtime.cuh"
#include "sparse.h"

/* Where the four arrays of the result are. */
typedef struct Both {
    uint16_t *values;
    uint32_t *meta;
    uint16_t *values_t;
    uint32_t *meta_t;
    size_t meta_bytes, meta_t_bytes;
} Both;
typedef void Prune(const uint16_t *W, int rows, int columns, Both to, cudaStream_t stream);

/* Sets the 4 bits of one group; the metadata starts as zeros. */
__device__ inline void both_set(uint32_t *meta, int row, int column, int k_tiles, unsigned places)
{
    uint32_t *word = meta + ((size_t)(row / 16) * k_tiles + column / 64) * 32 + row % 8 * 4 + column / 16 % 4;
    atomicOr(word, places << (row / 8 % 2 * 16 + column / 4 % 4 * 4));
}

/* 1: over the padded matrix, since the padding has metadata too. */
__global__ void both_kernel1(const uint16_t *W, int rows, int columns, Both to)
{
    const int k_tiles = (columns + 63) / 64, k_tiles_t = (rows + 63) / 64;
    const int r = (blockIdx.y * blockDim.y + threadIdx.y) * 4, c = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (r >= k_tiles_t * 64 || c >= k_tiles * 64)
        return;
    const int rows16 = (rows + 15) / 16 * 16, columns16 = (columns + 15) / 16 * 16;
    uint16_t w[4][4];
    uint2 tile[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            w[i][j] = r + i < rows && c + j < columns ? W[(size_t)(r + i) * columns + c + j] : 0;
        tile[i] = make_uint2(w[i][0] | (uint32_t)w[i][1] << 16, w[i][2] | (uint32_t)w[i][3] << 16);
    }
    const bool inside = r < rows && c < columns;
    const Prune24Pattern kept = prune24_pattern(prune24_pick(tile));
    for (int i = 0; i < 4; i++) {
        /* a group outside the matrix holds two zeros at places 0 and 1 */
        unsigned p = inside && r + i < rows ? kept.rows >> 8 * i & 15 : 0 | 1 << 2;
        if (r + i < rows16)
            both_set(to.meta, r + i, c, k_tiles, p);
        if (r + i < rows) {
            uint16_t *v = to.values + (size_t)(r + i) * k_tiles * 32 + c / 2;
            v[0] = w[i][p & 3];
            v[1] = w[i][p >> 2];
        }
        p = inside && c + i < columns ? kept.columns >> 8 * i & 15 : 0 | 1 << 2;
        if (c + i < columns16)
            both_set(to.meta_t, c + i, r, k_tiles_t, p);
        if (c + i < columns) {
            uint16_t *v = to.values_t + (size_t)(c + i) * k_tiles_t * 32 + r / 2;
            v[0] = w[p & 3][i];
            v[1] = w[p >> 2][i];
        }
    }
}

static void both1(const uint16_t *W, int rows, int columns, Both to, cudaStream_t stream)
{
    CUDA_CHECK(cudaMemsetAsync(to.meta, 0, to.meta_bytes, stream));
    CUDA_CHECK(cudaMemsetAsync(to.meta_t, 0, to.meta_t_bytes, stream));
    dim3 block(32, 8), grid(ceil_div(columns, 64) * 16 / 32 + 1, ceil_div(ceil_div(rows, 64) * 16, 8));
    both_kernel1<<<grid, block, 0, stream>>>(W, rows, columns, to);
}

template <int LX, int WX, int WARPS, int RESIDENT, int AHEAD, bool LINES>
static void both_fast(const uint16_t *W, int rows, int columns, Both to, cudaStream_t stream)
{
    prune24_both<LX, WX, WARPS, RESIDENT, AHEAD, LINES>(W, rows, columns, to.values, to.meta, to.values_t, to.meta_t,
                                                        stream);
}

static const LabRung rungs[] = {
    {1, "one thread per tile", LAB_LAUNCH(Prune, both1), LAB_BF16, 0, 0},
    {2, "8 x 8 per thread", LAB_LAUNCH(Prune, both_fast<8, 1, 4, 6, 0, false>), LAB_BF16, 0, 0},
    {3, "one tile ahead", LAB_LAUNCH(Prune, both_fast<8, 1, 4, 6, 1, false>), LAB_BF16, 0, 0},
    {4, "whole lines", LAB_LAUNCH(Prune, both_fast<8, 2, 8, 2, 1, true>), LAB_BF16, 0, 0},
};

/* The four arrays' sizes in 32-bit words, in the order that they have in the output. */
static size_t layout(const LabCase *c, size_t words[4])
{
    size_t M = c->dim[0], K = c->dim[1];
    words[0] = sparse24_value_count(M, K) / 2;
    words[1] = sparse24_meta_words(M, K);
    words[2] = sparse24_value_count(K, M) / 2;
    words[3] = sparse24_meta_words(K, M);
    return words[0] + words[1] + words[2] + words[3];
}

static Both both_at(uint32_t *out, const size_t words[4])
{
    Both to;
    to.values = (uint16_t *)out;
    to.meta = out + words[0];
    to.values_t = (uint16_t *)(to.meta + words[1]);
    to.meta_t = to.meta + words[1] + words[2];
    to.meta_bytes = words[1] * 4;
    to.meta_t_bytes = words[3] * 4;
    return to;
}

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], K = c->dim[1], words[4];
    if (M > 1u << 17 || K > 1u << 17)
        return "M and K are at most 131072";
    lab_input(c, 0, M * K, LAB_BF16);
    uint16_t *W = lab_h_in_u16(c, 0);
    lab_fill_uniform(c, 0, -1, 1);
    static const uint16_t special[] = {0x0000, 0x8000, 0x7fc0, 0x7f80, 0xff80, 0x0001, 0x3f80, 0xbf80, 0xffc1};
    for (size_t i = 0; i < M * K / 16; i++) /* zeros of both signs, NaN, infinities, subnormals, ties */
        W[random_u64(c->seed + 1, i) % (M * K)] = special[i % 9];
    lab_output(c, layout(c, words), LAB_S32);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t words[4], count = layout(c, words);
    uint32_t *out = (uint32_t *)malloc((count + 1) * sizeof *out);
    if (!out)
        die("out of memory");
    Both to = both_at(out, words);
    sparse24_compress_both_bf16(lab_h_in_u16(c, 0), c->dim[0], c->dim[1], c->dim[1], to.values, to.meta, to.values_t,
                                to.meta_t);
    for (size_t i = 0; i < count; i++)
        c->expect[i] = (int32_t)out[i];
    free(out);
}

static void run(const LabRung *r, LabCase *c)
{
    size_t words[4];
    if (layout(c, words) == 0)
        return;
    ((Prune *)r->launch)(lab_in_u16(c, 0), (int)c->dim[0], (int)c->dim[1], both_at(lab_out_u32(c), words), c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number > 1 && (c->dim[0] % 64 || c->dim[1] % 64) ? "M and K must be multiples of 64" : NULL;
}

static double bytes(const LabCase *c)
{
    return 2.0 * (double)c->dim[0] * (double)c->dim[1] + (double)sparse24_bytes(c->dim[0], c->dim[1], 2) +
           (double)sparse24_bytes(c->dim[1], c->dim[0], 2);
}

static const Lab lab = {
    .order = 6,
    .name = "prune24_both",
    .title = "W and its transpose, both 2:4, at every step of training",
    .look = "This is what 2:4 costs at every step of training. A copy moves 4 bytes per element, and this moves\n"
            "4 1/4: it takes 1.06 times as long at best, if memory hides the search among 90 patterns.",
    .dims = "M K",
    .size = "8192x8192",
    .cpu_size = "512x512",
    .test_sizes = "1x1 31x33 64x64 128x192 192x64 33x65 7x130 64x1 320x256",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
};
LAB_MAIN(lab)
