/* Attention's backward pass: from the gradient of o = softmax(q kT / sqrt(D)) v those of q, k and v. bf16, sums in
 * fp32.
 *
 * Shapes as in the lab attention: q, o, their gradients [B][S][H][D], k, v and theirs [B][S][G][D]. The forward pass
 * also leaves lse, the logarithm of each row's sum of exponentials, [B][H][S] in fp32. With it, the weights p can be
 * computed again without a softmax (attention_backward/problem.cuh has the formulas), so that none need be kept: five
 * products instead of the forward pass's two, 10 B H S S D operations (half, causal).
 *
 *   rung            idea                                                         ./run attention_backward --rung N
 *   1  naive        p and its gradient ds go to memory, and three products read them
 *   2  fused        p is computed again, tile by tile; a block has its keys to itself (fp32, for one sitting)
 *   3  mma.sync     tensor cores; scores transposed, so that p and ds stay in registers for dv and dk
 *   4  wgmma        TMA and wgmma: a producer warp, two warpgroups of 64 keys; dq by atomics of four floats
 *   5  dq writer    a warp has the copy engine add dq; with `causal` rung 4 is as fast or faster
 *   6  overlap      dv is computed while ds is; no gain, because the other warpgroup fills that time already
 *   7  two passes   dq in a separate pass: seven products, one order of all sums
 *   8  fixed order  as rung 6, and blocks add to dq in turn: one order of all sums
 *
 * Rungs 2 to 6 add up dq in the order in which blocks come: its last bits differ from run to run. All other sums have
 * one order. The output holds dq, then dk, then dv. All of it follows Dao's FlashAttention-2 (arXiv:2307.08691) and
 * FlashAttention-3 (Shah and others, arXiv:2407.08608). attention_backward_pytorch.py times PyTorch's kernels beside it.
 * The notes: attention.md.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#include "attention_backward/01_naive.cuh"
#include "attention_backward/02_fused.cuh"
#include "attention_backward/03_mma_sync.cuh"
#include "attention_backward/04_wgmma.cuh"
#include "attention_backward/07_two_passes.cuh"
#include "attention_backward/forward.cuh"

typedef void Plain(const Backward *b, cudaStream_t stream);
typedef const char *Hopper(const Backward *b, cudaStream_t stream); /* NULL, or why not */
enum { Q, K, V, O, LSE, GRAD };

static Backward problem(const LabCase *c)
{
    __nv_bfloat16 *out = lab_out_bf16(c);
    return Backward{{lab_in_bf16(c, Q), lab_in_bf16(c, K), lab_in_bf16(c, V), (__nv_bfloat16 *)lab_in_bf16(c, O),
                     (int)c->dim[0], (int)c->dim[1], (int)c->dim[2], (int)c->dim[3], (int)c->dim[4], (int)c->dim[5]},
                    lab_in_bf16(c, GRAD),
                    lab_in_f32(c, LSE),
                    out,
                    out + c->in_count[Q],
                    out + c->in_count[Q] + c->in_count[K],
                    NULL};
}

static double dot(const LabCase *c, int x, size_t i, int y, size_t j, int count)
{
    const uint16_t *a = lab_h_in_u16(c, x) + i, *b = lab_h_in_u16(c, y) + j;
    double sum = 0;
    for (int d = 0; d < count; d++)
        sum += (double)bf16_to_float(a[d]) * bf16_to_float(b[d]);
    return sum;
}

/* dq of a row (batch, query, head), and exact values of its lse and delta. p and dp: room for a row. */
static void query_row(const LabCase *c, const Attention *a, size_t row, double *p, double *dp, double *lse,
                      double *delta)
{
    const int D = a->width, head = (int)(row % a->heads), query = (int)(row / a->heads % a->length),
              batch = (int)(row / a->heads / a->length), keys = a->causal ? query + 1 : a->length;
    const uint16_t *k = lab_h_in_u16(c, K) + key_begin(*a, batch, head);
    const size_t kv = key_begin(*a, batch, head);
    double max = -INFINITY, sum = 0, *dq = c->expect + row * D;
    for (int n = 0; n < keys; n++) {
        p[n] = dot(c, Q, row * D, K, kv + n * key_step(*a), D) / sqrt((double)D);
        dp[n] = dot(c, GRAD, row * D, V, kv + n * key_step(*a), D);
        max = fmax(max, p[n]);
    }
    for (int n = 0; n < keys; n++)
        sum += p[n] = exp(p[n] - max);
    *lse = max + log(sum);
    *delta = 0;
    for (int n = 0; n < keys; n++)
        *delta += p[n] / sum * dp[n];
    for (int d = 0; d < D; d++)
        dq[d] = 0;
    for (int n = 0; n < keys; n++)
        for (int d = 0; d < D; d++)
            dq[d] += p[n] / sum * (dp[n] - *delta) * bf16_to_float(k[n * key_step(*a) + d]) / sqrt((double)D);
}

/* dk and dv of a row (batch, key, key head); lse and delta are [batch][query][head]. */
static void key_row(const LabCase *c, const Attention *a, size_t row, const double *lse, const double *delta)
{
    const int D = a->width, group = a->heads / a->kv_heads, first = (int)(row % a->kv_heads) * group,
              key = (int)(row / a->kv_heads % a->length), batch = (int)(row / a->kv_heads / a->length);
    const uint16_t *q = lab_h_in_u16(c, Q), *g = lab_h_in_u16(c, GRAD);
    double *dk = c->expect + c->in_count[Q] + row * D, *dv = dk + c->in_count[K];
    for (int d = 0; d < D; d++)
        dk[d] = dv[d] = 0;
    for (int query = a->causal ? key : 0; query < a->length; query++)
        for (int head = first; head < first + group; head++) {
            const size_t i = ((size_t)batch * a->length + query) * a->heads + head;
            const double p = exp(dot(c, Q, i * D, K, row * D, D) / sqrt((double)D) - lse[i]);
            const double ds = p * (dot(c, GRAD, i * D, V, row * D, D) - delta[i]) / sqrt((double)D);
            for (int d = 0; d < D; d++) {
                dk[d] += ds * bf16_to_float(q[i * D + d]);
                dv[d] += p * bf16_to_float(g[i * D + d]);
            }
        }
}

/* In double. A small problem's gradients are those of q, k and v alone; where rows are sampled, dk and dv take the
 * others' lse and delta from the forward pass. */
static void backward_cpu(LabCase *c)
{
    const Attention a = problem(c).a;
    const size_t rows = (size_t)a.batch * a.length * a.heads, kv_rows = (size_t)a.batch * a.length * a.kv_heads;
    double *lse = (double *)malloc(sizeof(double) * (2 * rows + 1)), *delta = lse + rows;
#pragma omp parallel
    {
        double *p = (double *)malloc(2 * sizeof(double) * (a.length + 1)), *dp = p + a.length;
#pragma omp for schedule(dynamic)
        for (size_t row = 0; row < rows; row++) {
            const size_t head = row % a.heads, query = row / a.heads % a.length, batch = row / a.heads / a.length;
            lse[row] = lab_h_in_f32(c, LSE)[(batch * a.heads + head) * a.length + query];
            delta[row] = dot(c, GRAD, row * a.width, O, row * a.width, a.width);
            if (lab_sample_row(row, rows, 6.0 * a.length * a.width))
                query_row(c, &a, row, p, dp, &lse[row], &delta[row]);
            else
                for (int d = 0; d < a.width; d++)
                    c->expect[row * a.width + d] = lab_unchecked();
        }
#pragma omp for schedule(dynamic)
        for (size_t row = 0; row < kv_rows; row++)
            if (lab_sample_row(row, kv_rows, 8.0 * a.length * a.width * (a.heads / a.kv_heads)))
                key_row(c, &a, row, lse, delta);
            else
                for (int d = 0; d < a.width; d++)
                    c->expect[c->in_count[Q] + row * a.width + d] =
                        c->expect[c->in_count[Q] + c->in_count[K] + row * a.width + d] = lab_unchecked();
        free(p);
    }
    free(lse);
}

static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Plain, attention_backward1), LAB_BF16, 0, 0},
    {2, "fused", LAB_LAUNCH(Plain, attention_backward2), LAB_BF16, 0, 0},
    {3, "mma.sync", LAB_LAUNCH(Plain, attention_backward3), LAB_BF16, LAB_NEEDS_SM80, 0},
    {4, "TMA and wgmma", LAB_LAUNCH(Hopper, attention_backward4<DQ_ATOMICS, false>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {5, "dq writer", LAB_LAUNCH(Hopper, attention_backward4<DQ_WRITER, false>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {6, "overlap", LAB_LAUNCH(Hopper, attention_backward4<DQ_WRITER, true>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {7, "two passes", LAB_LAUNCH(Hopper, attention_backward7), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {8, "fixed order", LAB_LAUNCH(Hopper, attention_backward4<DQ_ORDERED, true>), LAB_BF16, LAB_NEEDS_SM90A, 0},
};

static const char *launch(const LabRung *r, const Backward *b, cudaStream_t stream)
{
    if (r->number <= 3) {
        ((Plain *)r->launch)(b, stream);
        return NULL;
    }
    const char *why = hopper_here();
    return why ? why : ((Hopper *)r->launch)(b, stream);
}

/* Rung 1 keeps p and ds besides. */
static size_t scratch_bytes(int number, const Attention *a)
{
    const size_t scores = (size_t)a->batch * a->heads * a->length * a->length;
    return sizeof(float) * (backward_scratch(a) + (number == 1 ? 2 * scores : 0));
}

/* For attention_backward_pytorch.py, through ctypes: one rung on device memory, asynchronous on `stream`. `scratch`:
 * attention_backward_scratch_bytes(). NULL, or why not. */
extern "C" const char *attention_backward_rung(int number, const void *q, const void *k, const void *v, void *o,
                                               const void *lse, const void *grad, void *dq, void *dk, void *dv,
                                               void *scratch, int batch, int length, int heads, int kv_heads, int width,
                                               int causal, cudaStream_t stream)
{
    const Backward b = {{(const __nv_bfloat16 *)q, (const __nv_bfloat16 *)k, (const __nv_bfloat16 *)v,
                         (__nv_bfloat16 *)o, batch, length, heads, kv_heads, width, causal},
                        (const __nv_bfloat16 *)grad,
                        (const float *)lse,
                        (__nv_bfloat16 *)dq,
                        (__nv_bfloat16 *)dk,
                        (__nv_bfloat16 *)dv,
                        (float *)scratch};
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number)
            return launch(&rungs[i], &b, stream);
    return "no such rung";
}
extern "C" size_t attention_backward_scratch_bytes(int number, int batch, int length, int heads, int width)
{
    const Attention a = {NULL, NULL, NULL, NULL, batch, length, heads, heads, width, 0};
    return scratch_bytes(number, &a);
}

/* o and lse, by the forward pass on the device. */
static void forward(LabCase *c)
{
    Attention a = problem(c).a;
    void *in[4];
    float *lse;
    for (int i = 0; i < 4; i++) {
        CUDA_CHECK(cudaMalloc(&in[i], 2 * c->in_count[i]));
        if (i < O)
            CUDA_CHECK(cudaMemcpy(in[i], c->h_in[i], 2 * c->in_count[i], cudaMemcpyHostToDevice));
    }
    CUDA_CHECK(cudaMalloc(&lse, 4 * c->in_count[LSE]));
    a.q = (const __nv_bfloat16 *)in[Q];
    a.k = (const __nv_bfloat16 *)in[K];
    a.v = (const __nv_bfloat16 *)in[V];
    a.o = (__nv_bfloat16 *)in[O];
    setup_forward<<<dim3((unsigned)(a.length + 7) / 8, (unsigned)(a.batch * a.heads)), 256>>>(a, lse);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(c->h_in[O], in[O], 2 * c->in_count[O], cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(c->h_in[LSE], lse, 4 * c->in_count[LSE], cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        CUDA_CHECK(cudaFree(in[i]));
    CUDA_CHECK(cudaFree(lse));
}

static const char *setup(LabCase *c)
{
    const size_t B = c->dim[0], S = c->dim[1], H = c->dim[2], G = c->dim[3], D = c->dim[4], causal = c->dim[5];
    if (D != 64 && D != 128)
        return "a head is 64 or 128 wide";
    if (G == 0 || H % G)
        return "the query heads are a multiple of the key heads";
    if (causal > 1)
        return "causal is 0 or 1";
    if (B * H > 65535 || S > 1 << 20)
        return "at most 65535 heads in all, of at most 1048576 tokens";
    for (int i = 0; i < 6; i++)
        if (i == LSE)
            lab_input(c, i, B * H * S, LAB_F32);
        else
            lab_input(c, i, B * S * (i == K || i == V ? G : H) * D, LAB_BF16);
    lab_output(c, B * S * (H + 2 * G) * D, LAB_BF16);
    lab_fill_uniform(c, Q, -1.732, 1.732);
    lab_fill_uniform(c, K, -1.732, 1.732);
    lab_fill_uniform(c, V, -1.732, 1.732);
    lab_fill_uniform(c, GRAD, -1.732, 1.732);
    /* Scores of deviation 1, and in every eighth token of 3, so that lse differs from row to row. All gradients are
     * sums of numbers of both signs; a row's weights are about 1 / (the keys that it sees), so the gradient of its
     * output is multiplied by the root of that, and all results are of about the same size. */
    for (size_t t = 0; t < B * S; t++) {
        const double sharp = t % 8 == 5 ? 3 : 1, size = sqrt((double)(causal ? t % S + 1 : S)) / (sharp * sharp);
        for (size_t i = t * H * D; i < (t + 1) * H * D; i++) {
            lab_set(c->h_in[Q], LAB_BF16, i, sharp * lab_get(c->h_in[Q], LAB_BF16, i));
            lab_set(c->h_in[GRAD], LAB_BF16, i, size * lab_get(c->h_in[GRAD], LAB_BF16, i));
        }
    }
    if (c->out_count)
        forward(c);
    c->out_width = D;
    /* p, ds and o are rounded to 8 bits, each on its own, and results are sums of some of them. */
    c->atol = 0.05;
    c->rtol = 2.0 / 256;
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    const Attention a = problem(c).a;
    if (r->number == 1 && scratch_bytes(1, &a) > (size_t)2 << 30)
        return "its scores would fill more than 2 GiB";
    if (r->number == 2 && (double)a.batch * a.heads * a.length * a.length > 0x1p32)
        return "too slow to wait for";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    Backward b = problem(c);
    if (c->out_count == 0)
        return;
    b.scratch = (float *)lab_scratch(c, scratch_bytes(r->number, &b.a));
    const char *why = launch(r, &b, c->stream);
    if (why)
        lab_skip("%s", why);
}

/* q, o and grad and dq; k, v and their gradients; lse. */
static double bytes(const LabCase *c)
{
    return 2.0 * (4.0 * (double)c->in_count[Q] + 4.0 * (double)c->in_count[K]) + 4.0 * (double)c->in_count[LSE];
}

static double flops(const LabCase *c) { return (c->dim[5] ? 5.0 : 10.0) * (double)c->in_count[Q] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 17,
    .name = "attention_backward",
    .title = "five products, and the weights are computed again rather than kept",
    .page = "attention.md",
    .look = "Rung 2 computes the scores once more, where rung 1 has them in memory, and is faster for it.\n"
            "Rungs 3 and 4 show what the tensor cores are worth; rungs 7 and 8 what the same bits in each run cost.",
    .dims = "B S H G D causal",
    .size = "1x2048x16x16x128x0 2x8192x16x16x128x0 2x8192x16x16x128x1 2x8192x32x32x64x0 2x8192x32x32x64x1",
    .cpu_size = "1x256x2x1x64x1",
    .test_sizes =
        "1x1x1x1x64x0 1x1x2x1x128x1 2x33x2x2x64x0 1x31x4x2x128x1 1x129x2x1x64x1 1x130x1x1x128x0 2x70x2x1x128x1 "
        "1x200x1x1x64x0 1x200x1x1x128x1 0x5x2x2x64x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = backward_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
};

LAB_MAIN(lab)
