/* Exercise 14.22 project: a transformer's block (14 points)
 *
 * x has S rows (tokens) of 64 numbers. Compute the block's output z, in as many kernels as you like, of any shape:
 *   n = norm(x);  q, k, v = the columns 0-63, 64-127, 128-191 of n wqkv
 *   a = causal attention, 2 heads: head h has the columns 32 h to 32 h + 31 of q, k and v, and writes those of a:
 *       row i of a is the sum over j <= i of weight(i, j) times row j of v, where the weights are the softmax over j of
 *       SCALE times the dot product of row i of q and row j of k
 *   y = x + a wo;  z = y + gelu(norm(y) w1) w2
 * norm() divides each row by sqrt(mean of its squares + EPSILON). Matrices are row-major; their shapes are below.
 * This is a project: ./run 14.22 judges one stage after the other, and says which is next.
 *
 * Limits at 64:
 *   stage 2, whole sectors (2 points):
 *     sectors / possible sectors of global loads <= 1.5
 *     sectors / possible sectors of global stores <= 1.5
 *   stage 3, tiles without bank conflicts (3 points):
 *     global loads <= 9000
 *     bank conflicts <= 200
 *   stage 4, few memory turns (4 points):
 *     memory turns <= 52000
 */
#include "lab.h"

#include <math.h>
#include <stdlib.h>

enum { D = 64, HEADS = 2, WIDTH = D / HEADS, HIDDEN = 128 };
#define EPSILON 1e-5f
#define SCALE 0.17677669f /* 1 / sqrt(WIDTH) */

__device__ static float gelu(float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }

/* Everything is on the device. `between` has room for 8 * D * S numbers of yours. */
typedef struct Block {
    const float *x;    /* S x D */
    const float *wqkv; /* D x 3 D */
    const float *wo;   /* D x D */
    const float *w1;   /* D x HIDDEN */
    const float *w2;   /* HIDDEN x D */
    float *between, *z;
    int S;
} Block;

// TODO(ex22): your kernels (about 100 lines)

/* Launch everything on `stream`. */
static void transformer_block(const Block *b, cudaStream_t stream)
{
    // TODO(ex22): launch them (about 10 lines)
    (void)b, (void)stream;
}

typedef void Forward(const Block *, cudaStream_t);
static const LabRung rungs[] = {{1, "block", LAB_LAUNCH(Forward, transformer_block)}};

static const char *setup(LabCase *c)
{
    const size_t S = c->dim[0], size[] = {S * D, D * 3 * D, D * D, D * HIDDEN, HIDDEN * D};
    if (S == 0 || S > 1 << 14)
        return "from 1 to 16384 tokens";
    for (int i = 0; i < 5; i++) {
        lab_input(c, i, size[i], LAB_F32);
        lab_fill_uniform(c, i, i == 0 ? -1.5 : -0.3, i == 0 ? 1.5 : 0.35);
    }
    lab_output(c, S * D, LAB_F32);
    c->out_width = D;
    c->atol = 2e-4;
    c->rtol = 2e-4;
    return NULL;
}

/* ---- the same in double ----------------------------------------------------------------------------------------- */

static void norm_cpu(const double *x, double *out, size_t S)
{
    for (size_t i = 0; i < S; i++) {
        double squares = 0;
        for (int d = 0; d < D; d++)
            squares += x[i * D + d] * x[i * D + d];
        for (int d = 0; d < D; d++)
            out[i * D + d] = x[i * D + d] / sqrt(squares / D + EPSILON);
    }
}

static void product_cpu(const double *a, const float *b, double *out, size_t M, size_t N, size_t K)
{
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += a[i * K + k] * b[k * N + j];
            out[i * N + j] = sum;
        }
}

/* Row i of one head; p has room for i + 1 weights. */
static void attention_row_cpu(const double *qkv, double *out, double *p, size_t i, size_t head)
{
    double max = -INFINITY, sum = 0;
    for (size_t j = 0; j <= i; j++) {
        p[j] = 0;
        for (int d = 0; d < WIDTH; d++)
            p[j] += qkv[i * 3 * D + head * WIDTH + d] * qkv[j * 3 * D + D + head * WIDTH + d];
        p[j] /= sqrt((double)WIDTH);
        max = fmax(max, p[j]);
    }
    for (size_t j = 0; j <= i; j++)
        sum += p[j] = exp(p[j] - max);
    for (int d = 0; d < WIDTH; d++) {
        double *o = &out[i * D + head * WIDTH + d];
        *o = 0;
        for (size_t j = 0; j <= i; j++)
            *o += p[j] / sum * qkv[j * 3 * D + 2 * D + head * WIDTH + d];
    }
}

static void reference(LabCase *c)
{
    const size_t S = c->dim[0];
    double *all = (double *)malloc(sizeof(double) * S * (7 * D + HIDDEN + 1));
    double *x = all, *n = x + S * D, *qkv = n + S * D, *a = qkv + 3 * S * D, *y = a + S * D, *hidden = y + S * D,
           *p = hidden + S * HIDDEN;
    for (size_t i = 0; i < S * D; i++)
        x[i] = lab_h_in_f32(c, 0)[i];
    norm_cpu(x, n, S);
    product_cpu(n, lab_h_in_f32(c, 1), qkv, S, 3 * D, D);
    for (size_t i = 0; i < S; i++)
        for (size_t head = 0; head < HEADS; head++)
            attention_row_cpu(qkv, a, p, i, head);
    product_cpu(a, lab_h_in_f32(c, 2), y, S, D, D);
    for (size_t i = 0; i < S * D; i++)
        y[i] += x[i];
    norm_cpu(y, n, S);
    product_cpu(n, lab_h_in_f32(c, 3), hidden, S, HIDDEN, D);
    for (size_t i = 0; i < S * HIDDEN; i++)
        hidden[i] *= 0.5 * (1 + tanh(sqrt(2 / M_PI) * (hidden[i] + 0.044715 * hidden[i] * hidden[i] * hidden[i])));
    product_cpu(hidden, lab_h_in_f32(c, 4), c->expect, S, D, HIDDEN);
    for (size_t i = 0; i < S * D; i++)
        c->expect[i] += y[i];
    free(all);
}

static void run(const LabRung *r, LabCase *c)
{
    float *between = (float *)lab_scratch(c, sizeof(float) * 8 * D * c->dim[0]);
    const Block b = {lab_in_f32(c, 0), lab_in_f32(c, 1), lab_in_f32(c, 2), lab_in_f32(c, 3),
                     lab_in_f32(c, 4), between,          lab_out_f32(c),   (int)c->dim[0]};
    ((Forward *)r->launch)(&b, c->stream);
}

static double flops(const LabCase *c)
{
    const double S = (double)c->dim[0];
    return 2 * S * D * (4 * D + 2 * HIDDEN) + 2 * S * S * D;
}

static const Lab lab = {
    .order = 22,
    .name = "ex22_project_block",
    .title = "a transformer's block, forward",
    .dims = "S",
    .size = "4096",
    .cpu_size = "256",
    .test_sizes = "64 1 2 33 100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .flops = flops,
};
LAB_MAIN(lab)
