/* Exercise 11.19 both directions from one read (3 points)
 *
 * In training, the forward pass multiplies by W and the backward pass by its transpose, and each needs its own
 * compressed form. W (M x K) consists of 4 x 4 tiles. A tile's mask has bit 4 r + c set where the element in its row r
 * and column c stays: two in each row and two in each column, so one mask serves both directions. Write
 *   values     M x K / 2: of each row of W the elements that stay, in the order of their columns;
 *   values_t   K x M / 2: of each column of W the elements that stay, in the order of their rows.
 * A thread has one tile, and a block of 128 threads has 16 x 8 tiles, that is, 64 rows and 32 columns. Decide which
 * thread takes which of them: the loads and both stores should fill whole sectors. Read W once.
 *
 * Limits at 128x64:
 *   sectors of global loads <= 1250
 *   sectors of global stores <= 1200
 */
#include "lab.h"
#include "sparse.h"

static __device__ int first(unsigned bits) { return __ffs((int)bits) - 1; }
static __device__ int last(unsigned bits) { return 31 - __clz((int)bits); }

/* w[place], without indexing an array by a variable, which would put it into local memory. */
static __device__ float pick(const float w[4], int place)
{
    return place & 2 ? (place & 1 ? w[3] : w[2]) : (place & 1 ? w[1] : w[0]);
}

/* masks: M / 4 x K / 4. M and K are multiples of 4. */
__global__ void both_kernel(const float *W, const int *masks, float *values, float *values_t, int M, int K)
{
    // TODO(ex19): row and column where the thread's tile begins (about 2 lines)
    const int row = 0, column = 0;
    if (row >= M || column >= K)
        return;
    const unsigned mask = (unsigned)masks[(size_t)(row / 4) * (K / 4) + column / 4];
    // TODO(ex19): read the tile, and write two elements for each of its rows and columns (about 12 lines)
    (void)W, (void)values, (void)values_t, (void)mask, (void)first, (void)last, (void)pick;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], K = c->dim[1];
    if (M % 4 || K % 4)
        return "M and K are multiples of 4 in this exercise";
    if (M > 65536 || K > 65536)
        return "M and K are at most 65536 in this exercise";
    lab_input(c, 0, M * K, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    const float *W = lab_h_in_f32(c, 0);
    int *mask = (int *)lab_input(c, 1, M / 4 * (K / 4), LAB_S32);
    for (size_t row = 0; row < M; row += 4)
        for (size_t column = 0; column < K; column += 4) {
            uint16_t tile[16];
            for (size_t i = 0; i < 16; i++)
                tile[i] = bf16_from_float(W[(row + i / 4) * K + column + i % 4]);
            *mask++ = (int)sparse24_pick_tile_bf16(tile, 4);
        }
    lab_output(c, M * K, LAB_F32);
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t M = c->dim[0], K = c->dim[1];
    const float *W = lab_h_in_f32(c, 0);
    const int *mask = lab_h_in_s32(c, 1);
    double *to = c->expect;
    for (size_t direction = 0; direction < 2; direction++) /* 0: row by row, 1: column by column */
        for (size_t i = 0; i < M * K; i++) {
            const size_t row = direction ? i % M : i / K, column = direction ? i / M : i % K;
            if (mask[row / 4 * (K / 4) + column / 4] >> (row % 4 * 4 + column % 4) & 1)
                *to++ = W[row * K + column];
        }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    const size_t M = c->dim[0], K = c->dim[1];
    const dim3 grid((unsigned)((K + 31) / 32), (unsigned)((M + 63) / 64));
    both_kernel<<<grid, 128, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_s32(c, 1), lab_out_f32(c),
                                             lab_out_f32(c) + M * K / 2, (int)M, (int)K);
}

static double bytes(const LabCase *c) { return (4 + 4.0 / 16 + 4) * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 19,
    .name = "ex19_both_directions",
    .title = "both directions from one read",
    .dims = "M K",
    .size = "8192x8192",
    .cpu_size = "512x512",
    .test_sizes = "4x4 68x36 12x100 128x64",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
