/* A transformer block, forward and backward, by the course's own kernels. bf16, sums in fp32.
 *
 * x is B sequences of S tokens of C numbers: heads of 128, a hidden layer of 4 C. Norms are RMSNorm, before attention and
 * before the two linear layers with gelu between; attention is causal (block/problem.cuh has the formulas). From x, six
 * weights and the gradient of the output z come z and the gradients of x and of the weights: 12 products of 6 T C C
 * operations on average (T = B S tokens) and attention's seven.
 *
 *   rung                idea                                                            ./run block --rung N
 *   1  naive            one thread per element of a result
 *   2  mma.sync         tensor cores: one tile kernel for the three kinds of product, attention's rungs 3
 *   3  TMA and wgmma    Hopper's kernels; gradients read weights and activations the other way round, without copies
 *   4  rows once        norms keep a row in registers, and sum the weight's gradient from row to row
 *   5  fused            residuals, gelu and its derivative in the products' epilogues, without separate kernels
 *   6  ping-pong        one consumer's epilogue beside the other's products, where that pays
 *   7  one graph        the same 22 launches, captured once and launched as one
 *   8  two branches     in the graph, weights' gradients beside the chain that the next gradient waits for
 *
 * The output holds z, then the gradients of x, norm1, norm2, wqkv, wo, w1 and w2. From rung 2 on blocks of attention's
 * backward pass add to dq in the order in which they come: last bits differ from run to run. block_pytorch.py times
 * torch.compile's block beside it. The notes: block.md.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "lab.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

#include "block/01_naive.cuh"
#include "block/02_mma_sync.cuh"
#include "block/03_wgmma.cuh"
#include "block/04_rows.cuh"
#include "block/06_ping_pong.cuh"
#include "block/differences.h"
#include "block/reference.h"
#include "block/step.cuh"

static const BlockKernels naive = {
    block_product1, block_attention1, block_attention_grad1, block_norm1, block_norm_grad1, false, false};
static const BlockKernels mma_sync = {
    block_product2, block_attention2, block_attention_grad2, block_norm1, block_norm_grad1, false, false};
static const BlockKernels wgmma = {
    block_product3, block_attention3, block_attention_grad3, block_norm1, block_norm_grad1, false, false};
static const BlockKernels rows_once = {
    block_product3, block_attention3, block_attention_grad3, block_norm4, block_norm_grad4, false, false};
static const BlockKernels fused = {
    block_product3, block_attention3, block_attention_grad3, block_norm4, block_norm_grad4, true, false};
static const BlockKernels ping_pong = {
    block_product6, block_attention3, block_attention_grad3, block_norm4, block_norm_grad4, true, false};
static const BlockKernels branches = {
    block_product6, block_attention3, block_attention_grad3, block_norm4, block_norm_grad4, true, true};

/* Queues one step on the stream. NULL, or why it cannot be done. */
typedef const char *Rung(const Block *b, BlockGraph *graph, cudaStream_t stream);
template <const BlockKernels *K> static const char *launches(const Block *b, BlockGraph *, cudaStream_t stream)
{
    return block_step(K, b, stream);
}
template <const BlockKernels *K> static const char *one_graph(const Block *b, BlockGraph *graph, cudaStream_t stream)
{
    return block_graph_step(graph, K, b, stream);
}

static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Rung, launches<&naive>), LAB_BF16, 0, 0},
    {2, "mma.sync", LAB_LAUNCH(Rung, launches<&mma_sync>), LAB_BF16, LAB_NEEDS_SM80, 0},
    {3, "TMA and wgmma", LAB_LAUNCH(Rung, launches<&wgmma>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {4, "rows once", LAB_LAUNCH(Rung, launches<&rows_once>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {5, "fused", LAB_LAUNCH(Rung, launches<&fused>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {6, "ping-pong", LAB_LAUNCH(Rung, launches<&ping_pong>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {7, "one graph", LAB_LAUNCH(Rung, one_graph<&ping_pong>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {8, "two branches", LAB_LAUNCH(Rung, one_graph<&branches>), LAB_BF16, LAB_NEEDS_SM90A, 0},
};

/* Elements of each tensor of the input, in the order of REF_...; of the output: z in the place of grad. */
static void tensor_sizes(const size_t *dim, size_t *size)
{
    const size_t all = dim[0] * dim[1] * dim[2], C = dim[2], CC = C * C;
    const size_t sizes[REF_TENSORS] = {all, all, C, C, 3 * CC, CC, BLOCK_HIDDEN * CC, BLOCK_HIDDEN * CC};
    memcpy(size, sizes, sizeof sizes);
}

/* Rung 1's attention keeps two S x S matrices per head. */
static double score_bytes(const LabCase *c)
{
    return 8.0 * (double)c->dim[0] * (double)(c->dim[2] / BLOCK_HEAD) * (double)c->dim[1] * (double)c->dim[1];
}
static bool naive_fits(const LabCase *c)
{
    return score_bytes(c) <= 0x1p30 &&
           (double)c->dim[0] * (double)c->dim[1] * (double)(c->dim[2] * c->dim[2]) <= 0x1p32;
}

static Block problem(LabCase *c)
{
    size_t size[REF_TENSORS];
    tensor_sizes(c->dim, size);
    Block b = {};
    b.batch = (int)c->dim[0], b.length = (int)c->dim[1], b.width = (int)c->dim[2];
    const __nv_bfloat16 **in[REF_TENSORS] = {&b.x, &b.grad, &b.norm1, &b.norm2, &b.wqkv, &b.wo, &b.w1, &b.w2};
    __nv_bfloat16 **out[REF_TENSORS] = {&b.x_grad,    &b.z,       &b.norm1_grad, &b.norm2_grad,
                                        &b.wqkv_grad, &b.wo_grad, &b.w1_grad,    &b.w2_grad};
    for (int i = 0; i < REF_TENSORS; i++)
        *in[i] = lab_in_bf16(c, i);
    b.z = lab_out_bf16(c);
    b.x_grad = b.z + size[REF_GRAD];
    __nv_bfloat16 *at = b.x_grad + size[REF_X];
    for (int i = REF_NORM1; i < REF_TENSORS; i++) {
        *out[i] = at;
        at += size[i];
    }
    const bool scores = naive_fits(c);
    block_memory(&b, (uint8_t *)lab_scratch(c, block_memory(&b, NULL, scores)), scores);
    return b;
}

/* Above 2^33 multiplications in all, a few tokens are checked: reference.h says which, and why they are enough for z and
 * the gradient of x. The weights' gradients there are compared by block_pytorch.py. */
static size_t first_checked(const LabCase *c)
{
    const double T = (double)c->dim[0] * (double)c->dim[1], C = (double)c->dim[2];
    return 36 * T * C * C < 0x1p33 || c->dim[1] <= 16 ? 0 : c->dim[1] - 16;
}

static void block_cpu(LabCase *c)
{
    size_t size[REF_TENSORS], rows = c->dim[0] * c->dim[1];
    tensor_sizes(c->dim, size);
    Reference f = {(int)c->dim[0],       (int)c->dim[1], (int)c->dim[2], BLOCK_HEAD, BLOCK_HIDDEN * (int)c->dim[2],
                   (int)first_checked(c)};
    double *in[REF_TENSORS];
    for (int t = 0; t < REF_TENSORS; t++) {
        in[t] = (double *)malloc(sizeof(double) * size[t]);
        f.in[t] = in[t];
#pragma omp parallel for
        for (size_t i = 0; i < size[t]; i++)
            in[t][i] = bf16_to_float(lab_h_in_u16(c, t)[i]);
    }
    f.z = c->expect;
    f.grad[REF_X] = f.z + size[REF_GRAD];
    double *weights = f.grad[REF_X] + size[REF_X];
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = f.first > 0 ? lab_unchecked() : 0;
    for (int t = REF_NORM1; t < REF_TENSORS && f.first == 0; t++) {
        f.grad[t] = weights;
        weights += size[t];
    }
    if (rows > 0)
        reference(&f);
    for (int t = 0; t < REF_TENSORS; t++)
        free(in[t]);
}

static const char *setup(LabCase *c)
{
    const size_t B = c->dim[0], S = c->dim[1], C = c->dim[2];
    size_t size[REF_TENSORS], all = 0;
    if (C == 0 || C % BLOCK_HEAD || C > 8192)
        return "a token has whole heads of 128 numbers, at most 8192";
    if (B == 0 || S == 0 || B > 1 << 19 || S > 1 << 19 || B * S > 1 << 19 || B * (C / BLOCK_HEAD) > 65535)
        return "from 1 to 524288 tokens, and at most 65535 heads in all";
    tensor_sizes(c->dim, size);
    c->user = calloc(1, 2 * sizeof(BlockGraph));
    if (!c->user)
        return "out of memory";
    for (int i = 0; i < REF_TENSORS; i++) {
        lab_input(c, i, size[i], LAB_BF16);
        all += size[i];
    }
    lab_output(c, all, LAB_BF16);
    /* Each layer's results are of about deviation 1. The gradient of a weight adds up over the tokens: that of z is
     * chosen so that those of tokens and those of weights are equally far from 1, and one tolerance does for both. */
    const double weight = sqrt(3 / (double)C), grad = first_checked(c) ? 1.7 : 1.7 * pow((double)(B * S), -0.25);
    lab_fill_uniform(c, REF_X, -1.7, 1.7);
    lab_fill_uniform(c, REF_GRAD, -grad, grad);
    lab_fill_uniform(c, REF_NORM1, 0.5, 1.5);
    lab_fill_uniform(c, REF_NORM2, 0.5, 1.5);
    for (int i = REF_WQKV; i < REF_W2; i++)
        lab_fill_uniform(c, i, -weight, weight);
    lab_fill_uniform(c, REF_W2, -weight / 2, weight / 2);
    c->out_width = C;
    c->atol = 0.08; /* every tensor in between is rounded to 8 bits: seen are up to 0.066 */
    c->rtol = 2.0 / 256;
    return NULL;
}

static void teardown(LabCase *c)
{
    for (int i = 0; c->user && i < 2; i++)
        block_graph_free((BlockGraph *)c->user + i);
    free(c->user);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number == 1 && !naive_fits(c) ? "too slow to wait for, or its scores would fill more than 1 GiB" : NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const Block b = problem(c);
    const char *why = r->flags & LAB_NEEDS_SM90A ? hopper_here() : NULL;
    if (!why)
        why = ((Rung *)r->launch)(&b, (BlockGraph *)c->user + (r->number == 8), c->stream);
    if (why)
        lab_skip("%s", why);
}

static double bytes(const LabCase *c)
{
    double all = 0;
    for (int i = 0; i < REF_TENSORS; i++)
        all += (double)c->in_count[i];
    return 4 * all;
}

/* Products 2 x 12 T C C forward, twice that backward; attention 2 and 5 x B S S C. */
static double flops(const LabCase *c)
{
    const double T = (double)c->dim[0] * (double)c->dim[1], C = (double)c->dim[2];
    return 72 * T * C * C + 7 * T * (double)c->dim[1] * C;
}

/* For block_pytorch.py, through ctypes: one rung on device memory, asynchronous on `stream`; `in` and `out` are eight
 * tensors each, in the order of REF_..., z in the place of grad; `memory`: block_bytes(). NULL, or why not. */
extern "C" size_t block_bytes(int batch, int length, int width)
{
    Block b = {};
    b.batch = batch, b.length = length, b.width = width;
    return block_memory(&b, NULL, false);
}
extern "C" const char *block_rung(int number, void *const *in, void *const *out, void *memory, int batch, int length,
                                  int width, cudaStream_t stream)
{
    static BlockGraph graphs[2];
    Block b = {};
    b.batch = batch, b.length = length, b.width = width;
    const __nv_bfloat16 **from[REF_TENSORS] = {&b.x, &b.grad, &b.norm1, &b.norm2, &b.wqkv, &b.wo, &b.w1, &b.w2};
    __nv_bfloat16 **to[REF_TENSORS] = {&b.x_grad,    &b.z,       &b.norm1_grad, &b.norm2_grad,
                                       &b.wqkv_grad, &b.wo_grad, &b.w1_grad,    &b.w2_grad};
    for (int i = 0; i < REF_TENSORS; i++) {
        *from[i] = (const __nv_bfloat16 *)in[i];
        *to[i] = (__nv_bfloat16 *)out[i];
    }
    block_memory(&b, (uint8_t *)memory, false);
    const char *why = hopper_here();
    for (int i = 0; i < LAB_COUNT(rungs) && !why; i++)
        if (rungs[i].number == number && number > 1)
            return ((Rung *)rungs[i].launch)(&b, &graphs[number == 8], stream);
    return why ? why : "no such rung";
}

/* One call of rung 6, alone. */
typedef struct Part {
    const Block *b;
    const Call *call;
    cudaStream_t stream;
} Part;
static void run_part(void *x)
{
    const Part *p = (const Part *)x;
    const char *why = block_call(&ping_pong, p->b, p->call, p->stream);
    if (why)
        lab_skip("%s", why);
}

/* Operations of a product or of attention; of a norm the bytes that it must read and write. */
static double part_work(const Call *call)
{
    if (call->what == CALL_PRODUCT)
        return 2.0 * call->product.M * call->product.N * call->product.K;
    if (call->what == CALL_NORM || call->what == CALL_NORM_GRAD)
        return (call->what == CALL_NORM ? 4.0 : 8.0) * call->norm.rows * call->norm.cols;
    const Attention *a = call->what == CALL_ATTENTION ? &call->attention : &call->attention_grad.a;
    return (call->what == CALL_ATTENTION ? 2.0 : 5.0) * a->batch * a->heads * a->width * a->length * a->length;
}

/* Where the time goes: each call of rung 6 alone, its operands out of L2. */
static void show_parts(const LabOptions *o, LabCase *c)
{
    const BenchOptions bo = lab_bench_options(c->stream);
    const Block b = problem(c);
    Call calls[BLOCK_CALLS];
    Part parts[BLOCK_CALLS];
    BenchSubject subjects[BLOCK_CALLS];
    double *samples = (double *)malloc(sizeof(double) * BLOCK_CALLS * (size_t)bo.rounds), total = 0;
    block_calls(&b, calls);
    const char *why = block_step(&ping_pong, &b, c->stream); /* all tensors between the calls have been written */
    if (why)
        die("%s", why);
    for (int i = 0; i < BLOCK_CALLS; i++) {
        parts[i] = Part{&b, &calls[i], c->stream};
        subjects[i] = BenchSubject{run_part, &parts[i], samples + i * bo.rounds, 0};
    }
    bench(subjects, BLOCK_CALLS, &bo);
    Table *t = table_new("call|>time|>TFLOP/s|>GB/s");
    FILE *csv = side_csv(o, "parts", "call,size,mode,runs,time_ms,tflops,gbps");
    for (int i = 0; i < BLOCK_CALLS; i++) {
        char text[32];
        const double ms = stats_of(subjects[i].samples_ms, subjects[i].runs).median, work = part_work(&calls[i]);
        const bool moves = calls[i].what == CALL_NORM || calls[i].what == CALL_NORM_GRAD;
        table_row(t, moves ? "%s|%s||%.4g" : "%s|%s|%.4g|", calls[i].name, format_ms(ms, text),
                  (moves ? 1e-6 : 1e-9) * work / ms);
        if (csv) /* what a call has no figure of is empty */
            fprintf(csv, moves ? "%s,%zux%zux%zu,%s,%d,%.6g,,%.5g\n" : "%s,%zux%zux%zu,%s,%d,%.6g,%.4g,\n",
                    calls[i].name, c->dim[0], c->dim[1], c->dim[2], lab_mode(), subjects[i].runs, ms,
                    (moves ? 1e-6 : 1e-9) * work / ms);
        total += ms;
    }
    table_print(t, stdout, 4);
    printf("    together %.4g ms\n", total);
    table_free(t);
    lab_close(csv);
    free(samples);
}

static int show(const LabOptions *o)
{
    static Tiny tiny;
    double apart;
    const double off = tiny_differences(&tiny, o->seed, &apart);
    const int wrong = lab_claim(off <= 1e-6, "a gradient of the reference is off by %.2g of its size", off) +
                      lab_claim(apart <= 1e-12, "the reference's last tokens alone are off by %.2g", apart);
    if (lab_brief())
        return wrong > 0;
    printf("\n    the reference's gradients and central differences of its forward pass: off by %.1g at most\n", off);
    if (o->verify_only || o->size)
        return wrong > 0;
    const char *why = hopper_here();
    if (why) {
        printf("    (each call alone: %s)\n", why);
        return wrong > 0;
    }
    const size_t gpu[] = {8, 2048, 2048}, cpu[] = {1, 64, 128};
    LabCase c;
    printf("\n    each call of rung 6 alone%s\n", device_is_cpu() ? " (this CPU's times)" : "");
    why = lab_case_make(&c, lab_this(), device_is_cpu() ? cpu : gpu, LAB_BF16, o->seed, 0);
    if (why)
        die("%s", why);
    show_parts(o, &c);
    lab_case_free(&c);
    return wrong > 0;
}

static const Lab lab = {
    .order = 22,
    .name = "block",
    .title = "a transformer block, forward and backward, by the course's own kernels",
    .page = "block.md",
    .look =
        "Nine tenths of the arithmetic are products, so rung 3 decides. After it, only the calls that just move bytes\n"
        "are left to improve: rungs 4 and 5 save some of these.",
    .dims = "B S C",
    .size = "8x2048x2048 2x1024x1024",
    .cpu_size = "1x64x128",
    .small_sizes = "1x17x128 2x33x128",
    .test_sizes = "1x1x128 2x33x128 1x130x128 3x5x256 1x70x384",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .teardown = teardown,
    .reference = block_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
    .show = show,
};

LAB_MAIN(lab)
