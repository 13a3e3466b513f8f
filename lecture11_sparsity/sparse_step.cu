/* A whole training step of a linear layer with 2:4 weights, on Hopper's sparse wgmma.
 *
 * The layer is Y = relu(X W'): T tokens, W is out x in, bf16. A step begins with the gradient G of the step before and
 * ends with its own:
 *
 *   update     W = W0 - rate G                        dense weights are kept: a dropped one can come back
 *   sparsify   S = W pruned to 2:4 both ways          (prune24_both: two in every row and column of each 4 x 4 tile)
 *   forward    Y = relu(X S')                         computed as (S X')', sparse operand first, stored transposed
 *   backward   dX = dZ S                              computed as (S' dZ')': the same kernel, with S' compressed
 *              dW = dZ' X                             dense: neither operand is a weight
 *
 * dW goes to the dense weights as if nothing had been pruned ("straight through"). Rates count the dense products,
 * 6 T out in.
 *
 *   rung                   idea                                                           ./run sparse_step --rung N
 *   1  mma.sp              the kernels of spgemm24, and a transposed copy of dZ
 *   2  sparse wgmma        forward and dX on hopper_sparse's ring, which stores its result transposed; dW by dense
 *                          wgmma, which reads both operands by columns, so that nothing is copied
 *   3  fused ReLU          the activation on the sums, before they are rounded
 *   4  one pass            update and sparsify read the weights once
 *   5  stream-K            the last wave of both sparse products is cut along K
 *   6  cuBLASLt's dW       as 5, and the dense third by the library
 *   7  cuBLASLt dense      update, and three dense products; ReLU is the product's epilogue
 *
 * The dense rung is verified on weights that are pruned, and timed on those that are not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "sparse.h"
#include "vendor.h"

#include "hopper_sparse/meta_order.h"
#include "hopper_sparse/ring_sparse.cuh"
#include "prune24/runtime.cuh"
#include "sparse_step/columns.cuh"
#include "sparse_step/elementwise.cuh"
#include "spgemm24/mma.cuh"

typedef uint16_t bf16; /* its bits */
static const float RATE = 0.125f;

/* One step: inputs, results, and where the compressed weights are kept. */
typedef struct Step {
    int T, out, in;
    const bf16 *X, *dZ, *W0, *G;
    const bf16 *dense_W; /* of the vendor's products: W, or for its verification S */
    bf16 *W, *Y, *dX, *dW;
    bf16 *values, *values_t; /* S and S' compressed */
    uint32_t *meta, *meta_t;
    bf16 *turned; /* room for dZ' */
    cudaStream_t stream;
} Step;
typedef const char *Run(const Step *s);

static unsigned blocks_of(size_t n) { return (unsigned)((n / 8 + 255) / 256); }

static Prune24Update update_of(const Step *s) { return {s->G, s->W, RATE}; }

static void update(const Step *s)
{
    const size_t n = (size_t)s->out * (size_t)s->in;
    update_kernel<<<blocks_of(n), 256, 0, s->stream>>>(s->W0, update_of(s), n);
}

static void relu(const Step *s)
{
    const size_t n = (size_t)s->T * (size_t)s->out;
    relu_kernel<<<blocks_of(n), 256, 0, s->stream>>>(s->Y, n);
}

/* The rounds of metadata that reach past the matrix say "the first two of four", of zeros. */
static void pad_meta(const Step *s)
{
    if (s->in % 256)
        CUDA_CHECK(cudaMemsetAsync(s->meta, 0x44, meta_order_words((size_t)s->out, (size_t)s->in) * 4, s->stream));
    if (s->out % 256)
        CUDA_CHECK(cudaMemsetAsync(s->meta_t, 0x44, meta_order_words((size_t)s->in, (size_t)s->out) * 4, s->stream));
}

static const char *step1(const Step *s)
{
    update(s);
    prune24_both<8, 1, 4, 6, 1, false>(s->W, s->out, s->in, s->values, s->meta, s->values_t, s->meta_t, s->stream);
    typedef MmaTile<2, true, true, 256, 128, 64, 64, 5, 2, true, true> Sparse;
    mma_launch<Sparse>({s->values, s->meta, s->X, s->Y, s->out, s->T, s->in, s->in / 2}, s->stream);
    relu(s);
    mma_launch<Sparse>({s->values_t, s->meta_t, s->dZ, s->dX, s->in, s->T, s->out, s->out / 2}, s->stream);
    turn_kernel<<<dim3((s->out + 31) / 32, (s->T + 31) / 32), dim3(32, 8), 0, s->stream>>>(s->dZ, s->turned, s->T,
                                                                                           s->out);
    mma_launch<MmaTile<2, false, false, 128, 256, 64, 64, 4, 1>>(
        {s->turned, NULL, s->X, s->dW, s->out, s->in, s->T, s->T}, s->stream);
    return NULL;
}

/* Result (T x M) = B (T x K) A', A being M x K and sparse. */
template <int SHARE, int TURNED>
static const char *sparse_times(const Step *s, const bf16 *values, const uint32_t *meta, const bf16 *B, bf16 *result,
                                int M, int K)
{
    const HopperGemm p = {values, B, result, M, s->T, K, K / 2, K, M};
    return ring_sparse_launch<Bf16, 128, 256, 5, 2, 2, 1, 1, SHARE, TURNED>(&p, meta, device_multiprocessors(), 8,
                                                                            s->stream);
}

template <int SHARE, int TURNED> static const char *forward_and_dx(const Step *s)
{
    const char *why = sparse_times<SHARE, TURNED>(s, s->values, s->meta, s->X, s->Y, s->out, s->in);
    if (!why && TURNED == SPARSE_TURNED)
        relu(s);
    return why ? why : sparse_times<SHARE, SPARSE_TURNED>(s, s->values_t, s->meta_t, s->dZ, s->dX, s->in, s->out);
}

static const char *dw_by_columns(const Step *s)
{
    return columns_launch(s->dZ, s->X, s->dW, s->out, s->in, s->T, device_multiprocessors(), s->stream);
}

static const char *dw_by_vendor(const Step *s)
{
    vendor_gemm_lt(s->dZ, s->X, s->dW, LAB_BF16, LAB_BF16, VENDOR_A_TURNED, (size_t)s->out, (size_t)s->in, (size_t)s->T,
                   s->stream);
    return NULL;
}

template <int TURNED> static const char *two_passes(const Step *s)
{
    update(s);
    pad_meta(s);
    prune24_both<8, 1, 4, 6, 1, false, true>(s->W, s->out, s->in, s->values, s->meta, s->values_t, s->meta_t,
                                             s->stream);
    const char *why = forward_and_dx<0, TURNED>(s);
    return why ? why : dw_by_columns(s);
}
static const char *step2(const Step *s) { return two_passes<SPARSE_TURNED>(s); }
static const char *step3(const Step *s) { return two_passes<SPARSE_TURNED_RELU>(s); }

template <int SHARE> static const char *one_pass(const Step *s)
{
    pad_meta(s);
    prune24_both<8, 1, 4, 3, 1, false, true, true>(s->W0, s->out, s->in, s->values, s->meta, s->values_t, s->meta_t,
                                                   s->stream, update_of(s));
    return forward_and_dx<SHARE, SPARSE_TURNED_RELU>(s);
}
static const char *step4(const Step *s)
{
    const char *why = one_pass<0>(s);
    return why ? why : dw_by_columns(s);
}
static const char *step5(const Step *s)
{
    const char *why = one_pass<1>(s);
    return why ? why : dw_by_columns(s);
}
static const char *step6(const Step *s)
{
    const char *why = one_pass<1>(s);
    return why ? why : dw_by_vendor(s);
}

static const char *step7(const Step *s)
{
    const size_t T = (size_t)s->T, out = (size_t)s->out, in = (size_t)s->in;
    update(s);
    if (vendor_gemm_lt(s->X, s->dense_W, s->Y, LAB_BF16, LAB_BF16, VENDOR_B_TURNED | VENDOR_RELU, T, out, in,
                       s->stream) ||
        vendor_gemm_lt(s->dZ, s->dense_W, s->dX, LAB_BF16, LAB_BF16, 0, T, in, out, s->stream))
        return NULL; /* it has said why */
    return dw_by_vendor(s);
}

#define RUNG(n) LAB_LAUNCH(Run, step##n)
static const LabRung rungs[] = {
    {1, "mma.sp", RUNG(1), LAB_BF16, LAB_NEEDS_SM80, 0},
    {2, "sparse wgmma", RUNG(2), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {3, "fused ReLU", RUNG(3), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {4, "one pass", RUNG(4), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {5, "stream-K", RUNG(5), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {6, "cuBLASLt's dW", RUNG(6), LAB_BF16, LAB_NEEDS_SM90A | LAB_CUDA_ONLY, 0},
    {7, "cuBLASLt dense", RUNG(7), LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

/* Inputs: 0 X, 1 dZ, 2 W0, 3 G, 4 the updated weights pruned both ways. Output: W, Y, dX, dW one after the other. */
static const char *setup(LabCase *c)
{
    const size_t T = c->dim[0], out = c->dim[1], in = c->dim[2], n = out * in;
    if (T > 1u << 17 || out > 1u << 17 || in > 1u << 17)
        return "T, out and in are at most 131072";
    if (T % 8 || T == 0 || out % 64 || in % 64 || n == 0)
        return "T must be a multiple of 8, out and in multiples of 64";
    lab_input(c, 0, T * in, LAB_BF16);
    lab_input(c, 1, T * out, LAB_BF16);
    lab_input(c, 2, n, LAB_BF16);
    lab_input(c, 3, n, LAB_BF16);
    lab_input(c, 4, n, LAB_BF16);
    for (int i = 0; i < 4; i++)
        lab_fill_uniform(c, i, -1, 1);
    const bf16 *W0 = lab_h_in_u16(c, 2), *G = lab_h_in_u16(c, 3);
    bf16 *S = lab_h_in_u16(c, 4);
#pragma omp parallel for
    for (size_t r = 0; r < out; r += 4) {
        for (size_t i = r * in; i < (r + 4) * in; i++)
            S[i] = bf16_from_float(fmaf(-RATE, bf16_to_float(G[i]), bf16_to_float(W0[i])));
        for (size_t j = 0; j < in; j += 4) {
            const unsigned kept = sparse24_pick_tile_bf16(S + r * in + j, in);
            for (size_t i = 0; i < 16; i++)
                if (!(kept >> i & 1))
                    S[(r + i / 4) * in + j + i % 4] = 0;
        }
    }
    lab_output(c, 2 * n + T * (out + in), LAB_BF16);
    c->out_width = in;
    const size_t longest = T > out ? (T > in ? T : in) : (out > in ? out : in);
    c->atol = 1e-6 * (1 + (double)longest) / 4; /* as for the dense product */
    c->rtol = 1.0 / 256 + 1e-5;
    c->user = calloc(1, sizeof(unsigned)); /* 1: the vendor's rung has been verified */
    return NULL;
}

static void teardown(LabCase *c) { free(c->user); }

/* result[r] (columns) = sum over k of a(r, k) b(k, column), for the rows that are checked. */
template <typename A, typename B>
static void expect_product(double *result, size_t rows, size_t columns, size_t K, bool rectified, A a, B b)
{
#pragma omp parallel for schedule(dynamic)
    for (size_t r = 0; r < rows; r++) {
        const int wanted = lab_sample_row(r, rows, (double)columns * (double)K);
        double *to = result + r * columns;
        for (size_t j = 0; j < columns; j++)
            to[j] = wanted ? 0 : lab_unchecked();
        for (size_t k = 0; wanted && k < K; k++) {
            const double x = a(r, k);
            for (size_t j = 0; j < columns; j++)
                to[j] += x * b(k, j);
        }
        for (size_t j = 0; wanted && rectified && j < columns; j++)
            to[j] = to[j] > 0 ? to[j] : 0;
    }
}

static void reference(LabCase *c)
{
    const size_t T = c->dim[0], out = c->dim[1], in = c->dim[2], n = out * in;
    const bf16 *X = lab_h_in_u16(c, 0), *dZ = lab_h_in_u16(c, 1), *W0 = lab_h_in_u16(c, 2), *G = lab_h_in_u16(c, 3);
    const bf16 *S = lab_h_in_u16(c, 4);
    double *W = c->expect, *Y = W + n, *dX = Y + T * out, *dW = dX + T * in;
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        W[i] = bf16_to_float(bf16_from_float(fmaf(-RATE, bf16_to_float(G[i]), bf16_to_float(W0[i]))));
    double *S_t = (double *)malloc(n * sizeof *S_t); /* so that the inner loops run along memory */
    if (!S_t)
        die("out of memory");
#pragma omp parallel for
    for (size_t k = 0; k < in; k++)
        for (size_t o = 0; o < out; o++)
            S_t[k * out + o] = bf16_to_float(S[o * in + k]);
    const auto x = [=](size_t t, size_t i) { return (double)bf16_to_float(X[t * in + i]); };
    const auto dz = [=](size_t t, size_t o) { return (double)bf16_to_float(dZ[t * out + o]); };
    expect_product(Y, T, out, in, true, x, [=](size_t k, size_t o) { return S_t[k * out + o]; });
    expect_product(dX, T, in, out, false, dz, [=](size_t o, size_t i) { return (double)bf16_to_float(S[o * in + i]); });
    expect_product(
        dW, out, in, T, false, [=](size_t o, size_t t) { return dz(t, o); }, x);
    free(S_t);
}

/* What a step of this case reads and writes. */
static Step step_of(LabCase *c, bool pruned)
{
    const size_t T = c->dim[0], out = c->dim[1], in = c->dim[2], n = out * in;
    const size_t meta = meta_order_words(out, in) * 4, meta_t = meta_order_words(in, out) * 4;
    char *room = (char *)lab_scratch(c, 2 * n + meta + meta_t + 2 * T * out);
    bf16 *W = (bf16 *)c->out;
    Step s;
    s.T = (int)T, s.out = (int)out, s.in = (int)in;
    s.X = lab_in_u16(c, 0), s.dZ = lab_in_u16(c, 1), s.W0 = lab_in_u16(c, 2), s.G = lab_in_u16(c, 3);
    s.dense_W = pruned ? lab_in_u16(c, 4) : W;
    s.W = W, s.Y = W + n, s.dX = s.Y + T * out, s.dW = s.dX + T * in;
    s.values = (bf16 *)room, s.values_t = (bf16 *)(room + n);
    s.meta = (uint32_t *)(room + 2 * n), s.meta_t = (uint32_t *)(room + 2 * n + meta);
    s.turned = (bf16 *)(room + 2 * n + meta + meta_t);
    s.stream = c->stream;
    return s;
}

static void run(const LabRung *r, LabCase *c)
{
    if ((r->flags & LAB_NEEDS_SM90A) && hopper_here()) {
        lab_skip("%s", hopper_here());
        return;
    }
    unsigned *verified = (unsigned *)c->user;
    const bool pruned = (r->flags & LAB_VENDOR) && !*verified; /* the framework verifies a rung before it times it */
    *verified |= pruned;
    const Step s = step_of(c, pruned);
    const char *why = ((Run *)r->launch)(&s);
    if (why)
        lab_skip("%s", why);
}

static double bytes(const LabCase *c)
{
    const double T = (double)c->dim[0], out = (double)c->dim[1], in = (double)c->dim[2];
    return 2 * (2 * T * (out + in) + 4 * out * in);
}

static double flops(const LabCase *c) { return 6.0 * (double)c->dim[0] * (double)c->dim[1] * (double)c->dim[2]; }

static const Lab lab = {
    .order = 12,
    .name = "sparse_step",
    .title = "a whole training step with 2:4 weights, against the dense library",
    .page = "training.md",
    .look = "TFLOP/s count the dense operations. Two of the three products run sparse; the third, and the passes over\n"
            "the weights, take as long as without sparsity. So the step gains less than its products do.",
    .dims = "T out in",
    .size = "8192x8192x8192",
    .cpu_size = "256x256x256",
    .small_sizes = "8x64x64 136x128x192 40x320x64",
    .test_sizes = "8x64x64 136x128x192 40x320x64 264x192x512 1000x576x448",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
