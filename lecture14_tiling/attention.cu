/* Attention, the operation of a transformer: o = softmax(q kT / sqrt(D)) v for each head, bf16, sums in fp32.
 *
 * q and o are [B][S][H][D], k and v [B][S][G][D]: B sequences of S tokens, H query heads on G key heads (H a multiple
 * of G), D = 64 or 128 elements per head. With `causal` 1 token i sees tokens 0 .. i, with 0 all. 4 B H S S D
 * operations (half, causal): the scores are S x S, and what a rung does with them is what this ladder is about.
 *
 *   rung              idea                                                                ./run attention --rung N
 *   1  naive          three kernels; the scores go to memory and come back
 *   2  fused          online softmax: the scores stay in the multiprocessor (fp32, to be read in one sitting)
 *   3  mma.sync       tensor cores in FlashAttention-2's order of loops: a warp has its queries to itself
 *   4  TMA and wgmma  a producer fetches through rings; the weights stay in registers as wgmma's left operand
 *   5  ping-pong      two consumers take turns: one's exponentials overlap with the other's products
 *   6  overlap        within a consumer too: the next scores are computed while the last weights are multiplied
 *   7  persistent     one block per multiprocessor, tiles from the longest to the shortest, handed out as blocks
 *                     become free
 *   8  two units      one exponential in eight by polynomial, beside the special function unit: slower
 *                     (attention.md says why)
 *
 * attention_pytorch.py times the vendor's kernels beside it. The notes: attention.md. The rungs: attention/.
 * The ideas of rungs 3 and 5 to 8 are Dao's and others': FlashAttention-2 (arXiv:2307.08691), -3 (arXiv:2407.08608),
 * -4.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#include "attention/01_naive.cuh"
#include "attention/02_fused.cuh"
#include "attention/03_mma_sync.cuh"
#include "attention/07_persistent.cuh"

/* Launches on the stream. `scratch`: attention_scratch() bytes. NULL, or why it cannot be done. */
typedef void Plain(const Attention *a, void *scratch, cudaStream_t stream);
typedef const char *Hopper(const Attention *a, cudaStream_t stream);

static Attention problem(const LabCase *c)
{
    return Attention{lab_in_bf16(c, 0), lab_in_bf16(c, 1), lab_in_bf16(c, 2), lab_out_bf16(c), (int)c->dim[0],
                     (int)c->dim[1],    (int)c->dim[2],    (int)c->dim[3],    (int)c->dim[4],  (int)c->dim[5]};
}

/* In double: row (batch, query, head) of the output at a time. */
static void attention_row(const LabCase *c, const Attention *a, size_t row, double *p)
{
    const uint16_t *q = lab_h_in_u16(c, 0), *k = lab_h_in_u16(c, 1), *v = lab_h_in_u16(c, 2);
    const int head = (int)(row % a->heads), query = (int)(row / a->heads % a->length),
              batch = (int)(row / a->heads / a->length), keys = a->causal ? query + 1 : a->length, D = a->width;
    const size_t kv = key_begin(*a, batch, head);
    double max = -INFINITY, sum = 0, *o = c->expect + row * D;
    q += row * D;
    for (int n = 0; n < keys; n++) {
        p[n] = 0;
        for (int d = 0; d < D; d++)
            p[n] += (double)bf16_to_float(q[d]) * bf16_to_float(k[kv + n * key_step(*a) + d]);
        p[n] /= sqrt((double)D);
        max = fmax(max, p[n]);
    }
    for (int n = 0; n < keys; n++)
        sum += p[n] = exp(p[n] - max);
    for (int d = 0; d < D; d++)
        o[d] = 0;
    for (int n = 0; n < keys; n++)
        for (int d = 0; d < D; d++)
            o[d] += p[n] / sum * bf16_to_float(v[kv + n * key_step(*a) + d]);
}

static void attention_cpu(LabCase *c)
{
    const Attention a = problem(c);
    const size_t rows = (size_t)a.batch * a.length * a.heads;
#pragma omp parallel
    {
        double *p = (double *)malloc(sizeof(double) * (a.length + 1));
#pragma omp for schedule(dynamic)
        for (size_t row = 0; row < rows; row++)
            if (lab_sample_row(row, rows, 4.0 * a.length * a.width))
                attention_row(c, &a, row, p);
            else
                for (int d = 0; d < a.width; d++)
                    c->expect[row * a.width + d] = lab_unchecked();
        free(p);
    }
}

/* The tiles were chosen by timing (attention.md). At D = 128 two tiles of queries and 128 keys per step are faster than
 * one and 176, the most that registers allow; at D = 64 three consumers fit. But of 512 tokens they make tiles of 192,
 * 192 and 128, whose corners under the diagonal are computed in vain: causal heads of up to 1024 tokens go to two. */
enum { SHORT = 1024 };

template <int POLYNOMIAL> static const char *attention7(const Attention *a, cudaStream_t stream)
{
    if (a->width == 64 && a->causal)
        return a->length <= SHORT ? attention7_launch<64, 128, 2, 4, 2, true, POLYNOMIAL>(a, stream)
                                  : attention7_launch<64, 128, 3, 4, 2, true, POLYNOMIAL>(a, stream);
    if (a->width == 64)
        return attention7_launch<64, 128, 3, 4, 2, false, POLYNOMIAL>(a, stream);
    return a->causal ? attention7_launch<128, 128, 2, 2, 2, true, POLYNOMIAL>(a, stream)
                     : attention7_launch<128, 128, 2, 2, 2, false, POLYNOMIAL>(a, stream);
}

static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Plain, attention1), LAB_BF16, 0, 0},
    {2, "fused", LAB_LAUNCH(Plain, attention2), LAB_BF16, 0, 0},
    {3, "mma.sync", LAB_LAUNCH(Plain, attention3), LAB_BF16, LAB_NEEDS_SM80, 0},
    {4, "TMA and wgmma", LAB_LAUNCH(Hopper, attention4), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {5, "ping-pong", LAB_LAUNCH(Hopper, attention5<false>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {6, "overlap", LAB_LAUNCH(Hopper, attention5<true>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {7, "persistent", LAB_LAUNCH(Hopper, attention7<0>), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {8, "two units", LAB_LAUNCH(Hopper, attention7<1>), LAB_BF16, LAB_NEEDS_SM90A, 0},
};

/* What rung 1 keeps of scores. */
static size_t attention_scratch(const Attention *a)
{
    return sizeof(float) * (size_t)a->batch * a->heads * a->length * a->length;
}

static const char *launch(const LabRung *r, const Attention *a, void *scratch, cudaStream_t stream)
{
    if (r->number <= 3) {
        ((Plain *)r->launch)(a, scratch, stream);
        return NULL;
    }
    const char *why = hopper_here();
    return why ? why : ((Hopper *)r->launch)(a, stream);
}

/* For attention_pytorch.py, through ctypes: one rung (2 or later) on device memory, asynchronous on `stream`. NULL, or
 * why not. */
extern "C" const char *attention_rung(int number, const void *q, const void *k, const void *v, void *o, int batch,
                                      int length, int heads, int kv_heads, int width, int causal, cudaStream_t stream)
{
    const Attention a = {(const __nv_bfloat16 *)q,
                         (const __nv_bfloat16 *)k,
                         (const __nv_bfloat16 *)v,
                         (__nv_bfloat16 *)o,
                         batch,
                         length,
                         heads,
                         kv_heads,
                         width,
                         causal};
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number && number > 1)
            return launch(&rungs[i], &a, NULL, stream);
    return "no such rung";
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
    lab_input(c, 0, B * S * H * D, LAB_BF16);
    lab_input(c, 1, B * S * G * D, LAB_BF16);
    lab_input(c, 2, B * S * G * D, LAB_BF16);
    lab_output(c, B * S * H * D, LAB_BF16);
    /* Scores of deviation 1, and in every eighth token of 8: there one key has nearly all the weight, and the maximum
     * grows by more than exponents can bear. The values are positive, so that no rounding is magnified by cancellation:
     * weights and results are rounded to 8 bits each, and that is all the error there may be. */
    lab_fill_uniform(c, 0, -1.732, 1.732);
    lab_fill_uniform(c, 1, -1.732, 1.732);
    lab_fill_uniform(c, 2, 0.25, 2);
    for (size_t t = 5; t < B * S; t += 8)
        for (size_t i = 0; i < H * D; i++)
            lab_set(c->h_in[0], LAB_BF16, t * H * D + i, 8 * lab_get(c->h_in[0], LAB_BF16, t * H * D + i));
    c->out_width = D;
    c->atol = 0;
    c->rtol = 2.0 / 256 + 1e-3;
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    const Attention a = problem(c);
    if (r->number == 1 && attention_scratch(&a) > (size_t)1 << 30)
        return "its scores would fill more than 1 GiB";
    if (r->number == 2 && (double)a.batch * a.heads * a.length * a.length > 0x1p32)
        return "too slow to wait for";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const Attention a = problem(c);
    if (c->out_count == 0)
        return;
    const char *why = launch(r, &a, r->number == 1 ? lab_scratch(c, attention_scratch(&a)) : NULL, c->stream);
    if (why)
        lab_skip("%s", why);
}

static double bytes(const LabCase *c) { return 2.0 * (double)(2 * c->in_count[0] + c->in_count[1] + c->in_count[2]); }

static double flops(const LabCase *c) { return (c->dim[5] ? 2.0 : 4.0) * (double)c->in_count[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 15,
    .name = "attention",
    .title = "two products and a softmax between them, and the scores never reach memory",
    .page = "attention.md",
    .look =
        "Rung 2 does no less arithmetic than rung 1, but keeps the scores on the chip. From rung 4 on, ask what the\n"
        "tensor cores do during the exponentials: wait (4), the other warpgroup's products (5), or its own too (6).",
    .dims = "B S H G D causal",
    .size = "1x2048x16x16x128x0 2x8192x16x16x128x0 2x8192x16x16x128x1 2x8192x32x32x64x0 2x8192x32x32x64x1",
    .cpu_size = "1x384x2x1x64x1",
    .test_sizes =
        "1x1x1x1x64x0 1x1x2x1x128x1 2x33x2x2x64x0 1x31x4x2x128x1 1x129x2x1x64x1 1x130x1x1x128x0 2x70x2x1x128x1 "
        "1x321x1x1x64x0 1x300x1x1x128x1 0x5x2x2x64x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = attention_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
};

LAB_MAIN(lab)
