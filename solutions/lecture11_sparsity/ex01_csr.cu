/* Exercise 11.1 a sparse matrix times a vector (1 point)
 *
 * A is in CSR: the nonzeros of row m are those from row_start[m] up to, but not including, row_start[m + 1]; nonzero i
 * has the value value[i] and is in the column column[i]. One thread computes one element of y = A x. An empty row gives
 * 0. The sum stays in a register: y[m] is written once, by the line that is given.
 *
 * Limits at 128x300:
 *   global loads <= 1000
 *   global stores <= 20
 *   global atomics <= 20
 *
 * Hint 1: a loop over i, and nothing else: no thread ever sees a zero.
 *
 * Hint 2: x is indexed by the column, not by i.
 *
 * After a pass:
 * A row's values are between two entries of row_start, and each is multiplied by the element of x that its column
 * names. Elements that are not stored cost nothing. Next: exercise 11.9, where eight lanes share a row.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "sparse.h"

__global__ void spmv_kernel(const int *row_start, const int *column, const float *value, const float *x, float *y,
                            int M)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= M)
        return;
    float sum = 0;
    // TODO(ex01): add up the row's nonzeros times their elements of x (about 2 lines)
    // >>> answer
    // stub: (void)row_start, (void)column, (void)value, (void)x;
    for (int i = row_start[m]; i < row_start[m + 1]; i++)
        sum += value[i] * x[column[i]];
    // <<< answer
    y[m] = sum;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], K = c->dim[1];
    Csr *csr = (Csr *)calloc(1, sizeof *csr);
    if (!csr || csr_random(csr, M, K, 0.9, c->seed))
        die("out of memory");
    c->user = csr;
    memcpy(lab_input(c, 0, M + 1, LAB_S32), csr->row_start, (M + 1) * 4);
    memcpy(lab_input(c, 1, csr->nonzeros + 1, LAB_S32), csr->column, csr->nonzeros * 4);
    memcpy(lab_input(c, 2, csr->nonzeros + 1, LAB_F32), csr->value, csr->nonzeros * 4);
    lab_h_in_s32(c, 1)[csr->nonzeros] = 0;    /* one more of each, so that reading too far */
    lab_h_in_f32(c, 2)[csr->nonzeros] = 1e6f; /* gives a wrong answer and not a crash */
    lab_input(c, 3, K, LAB_F32);
    lab_fill_uniform(c, 3, -1, 1);
    lab_output(c, M, LAB_F32);
    c->atol = c->rtol = 1e-5;
    return NULL;
}

static void teardown(LabCase *c)
{
    if (c->user)
        csr_free((Csr *)c->user);
    free(c->user);
}

static void reference(LabCase *c)
{
    const Csr *csr = (const Csr *)c->user;
    for (size_t m = 0; m < csr->rows; m++) {
        c->expect[m] = 0;
        for (int i = csr->row_start[m]; i < csr->row_start[m + 1]; i++)
            c->expect[m] += (double)csr->value[i] * lab_h_in_f32(c, 3)[csr->column[i]];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    int M = (int)c->dim[0];
    spmv_kernel<<<(M + 127) / 128, 128, 0, c->stream>>>(lab_in_s32(c, 0), lab_in_s32(c, 1), lab_in_f32(c, 2),
                                                        lab_in_f32(c, 3), lab_out_f32(c), M);
}

static const Lab lab = {
    .order = 1,
    .name = "ex01_csr",
    .title = "a sparse matrix times a vector",
    .dims = "M K",
    .size = "65536x8192",
    .cpu_size = "1024x1024",
    .test_sizes = "1x1 31x64 128x300 257x33 5x1000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
};
LAB_MAIN(lab)
