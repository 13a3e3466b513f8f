/* Exercise 11.7 whole blocks (2 points)
 *
 * C = A B with A (M x K) in block CSR, square blocks of 16: the blocks of block row r have the numbers from
 * row_start[r] up to, but not including, row_start[r + 1]; block b is in block column column[b], and its 256 elements
 * are at value + 256 b, row by row. B is K x N, C is M x N, all row-major. One thread computes one element of C, and
 * reads only what it needs of the blocks.
 *
 * Limits at 64x130x256:
 *   global loads <= 110000
 *   global stores <= 500
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "sparse.h"

enum { BLOCK = 16 };

__global__ void blocks_kernel(const int *row_start, const int *column, const float *value, const float *B, float *C,
                              int N)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y;
    if (n >= N)
        return;
    float sum = 0;
    // TODO(ex07): for each block of the block row, its row m % 16 times 16 rows of B (about 5 lines)
    (void)row_start, (void)column, (void)value, (void)B;
    C[(size_t)m * N + n] = sum;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M % BLOCK || K % BLOCK || M > 65535)
        return "M and K must be multiples of 16, M at most 65535";
    Bsr *bsr = (Bsr *)calloc(1, sizeof *bsr);
    if (!bsr || bsr_random(bsr, M, K, BLOCK, 0.7, c->seed))
        die("out of memory");
    c->user = bsr;
    memcpy(lab_input(c, 0, M / BLOCK + 1, LAB_S32), bsr->row_start, (M / BLOCK + 1) * 4);
    memcpy(lab_input(c, 1, bsr->blocks + 1, LAB_S32), bsr->column, bsr->blocks * 4);
    lab_input(c, 2, bsr->blocks * BLOCK * BLOCK + 1, LAB_F32);
    float *value = lab_h_in_f32(c, 2);
    for (size_t i = 0; i < bsr->blocks * BLOCK * BLOCK; i++)
        value[i] = bf16_to_float(bsr->value[i]);
    lab_input(c, 3, K * N, LAB_F32);
    lab_fill_uniform(c, 3, -1, 1);
    lab_output(c, M * N, LAB_F32);
    c->out_width = N;
    c->atol = c->rtol = 1e-4;
    return NULL;
}

static void teardown(LabCase *c)
{
    if (c->user)
        bsr_free((Bsr *)c->user);
    free(c->user);
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    uint16_t *dense = (uint16_t *)malloc(M * K * 2 + 1);
    if (!dense)
        die("out of memory");
    bsr_to_dense((const Bsr *)c->user, dense);
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < N; n++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += (double)bf16_to_float(dense[m * K + k]) * lab_h_in_f32(c, 3)[k * N + n];
            c->expect[m * N + n] = sum;
        }
    free(dense);
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    int M = (int)c->dim[0], N = (int)c->dim[1];
    blocks_kernel<<<dim3((N + 127) / 128, M), 128, 0, c->stream>>>(lab_in_s32(c, 0), lab_in_s32(c, 1), lab_in_f32(c, 2),
                                                                   lab_in_f32(c, 3), lab_out_f32(c), N);
}

static const Lab lab = {
    .order = 7,
    .name = "ex07_blocks",
    .title = "whole blocks",
    .dims = "M N K",
    .size = "2048x2048x2048",
    .cpu_size = "128x128x128",
    .test_sizes = "16x1x16 32x33x64 64x130x48 16x7x128",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
};
LAB_MAIN(lab)
