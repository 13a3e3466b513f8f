/* Exercise 11.8 the sparse operand first (2 points)
 *
 * sparse_first() multiplies C = A B, with A (M x K) sparse; B is stored as N x K (each column of B is a row
 * there), and C is written as N x M, transposed in the same way. A layer wants Y = X W': X is T x I (tokens x inputs),
 * W is O x I and sparse, Y is T x O; all row-major. Call it so that no transpose is ever made.
 *
 * Limits at 31x65x32:
 *   launches <= 3
 *
 * Hint 1: Y' = W X': the sparse one is first. How many rows and columns does Y' have?
 *
 * Hint 2: X' is I x T; stored by its columns it is T x I, which is X as it is.
 *
 * Hint 3: and Y', transposed as sparse_first() writes it, is Y.
 *
 * After a pass:
 * Only the first operand may be sparse, so both sides are transposed: Y' = W X'. X by rows is X' by columns, and the
 * result comes out transposed again, so the call needs the right order of arguments and nothing else. Next: the lab
 * xw_transposed, which measures it.
 */
#include "lab.h"

/* Instead of the tensor cores: C (N x M) = (A (M x K) B')', B as N x K. */
__global__ void sparse_first_kernel(const float *A, const float *B, float *C, int M, int N, int K)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y;
    if (m >= M)
        return;
    float sum = 0;
    for (int k = 0; k < K; k++)
        if (A[(size_t)m * K + k] != 0)
            sum += A[(size_t)m * K + k] * B[(size_t)n * K + k];
    C[(size_t)n * M + m] = sum;
}

static void sparse_first(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    sparse_first_kernel<<<dim3((M + 63) / 64, N), 64, 0, stream>>>(A, B, C, M, N, K);
}

static void layer(const float *X, const float *W, float *Y, int T, int O, int I, cudaStream_t stream)
{
    // TODO(ex08): one call (about 1 line)
    // >>> answer
    // stub: (void)X, (void)W, (void)Y, (void)T, (void)O, (void)I, (void)stream, (void)sparse_first;
    sparse_first(W, X, Y, O, T, I, stream);
    // <<< answer
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    size_t T = c->dim[0], O = c->dim[1], I = c->dim[2];
    if (T > 65535 || O > 65535)
        return "T and O are at most 65535";
    lab_input(c, 0, T * I, LAB_F32);
    lab_input(c, 1, O * I, LAB_F32);
    float *W = lab_h_in_f32(c, 1);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    for (size_t i = 0; i < O * I; i++)
        if (random_u64(c->seed + 5, i) % 2)
            W[i] = 0;
    lab_output(c, T * O, LAB_F32);
    c->out_width = O;
    c->atol = c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t T = c->dim[0], O = c->dim[1], I = c->dim[2];
    for (size_t t = 0; t < T; t++)
        for (size_t o = 0; o < O; o++) {
            double sum = 0;
            for (size_t i = 0; i < I; i++)
                sum += (double)lab_h_in_f32(c, 0)[t * I + i] * lab_h_in_f32(c, 1)[o * I + i];
            c->expect[t * O + o] = sum;
        }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    layer(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1], (int)c->dim[2],
          c->stream);
}

static const Lab lab = {
    .order = 8,
    .name = "ex08_turned",
    .title = "the sparse operand first",
    .dims = "T O I",
    .size = "1024x1024x1024",
    .cpu_size = "64x128x96",
    .test_sizes = "1x1x1 7x33x20 64x16x40 31x65x32",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
};
LAB_MAIN(lab)
