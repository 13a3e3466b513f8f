/* Exercise 14.9 what a causal mask saves (2 points)
 *
 * Compute attention with a causal mask, where q, k, v and o are S x 32: token i sees tokens 0 .. i. A block has 16
 * queries, one warp for each, and walks over tiles of 16 keys, which it fetches into shared memory. Tiles in which no
 * query of the block sees a key must not be fetched; in the tile on the diagonal each query sees some keys, and the
 * rest must get no weight.
 *
 * Limits at 128:
 *   global loads <= 1500
 *   shared loads <= 20000
 */
#include "lab.h"

#include <math.h>
#include <stdlib.h>

enum { D = 32, TILE = 16 };

__global__ void attention_kernel(const float *q, const float *k, const float *v, float *o, int S)
{
    __shared__ float ks[TILE][D], vs[TILE][D];
    const int lane = threadIdx.x, warp = threadIdx.y, query = blockIdx.x * TILE + warp;
    const float mine = query < S ? q[query * D + lane] : 0;
    float max = -INFINITY, sum = 0, out = 0;
    // TODO(ex09): how many tiles of keys does this block need? (1 line)
    int tiles = 0;
    for (int tile = 0; tile < tiles; tile++) {
        const int key = tile * TILE + warp;
        __syncthreads();
        ks[warp][lane] = key < S ? k[key * D + lane] : 0;
        vs[warp][lane] = key < S ? v[key * D + lane] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            const int n = tile * TILE + i;
            // TODO(ex09): leave the loop, or pass over the key, where this query does not see key n (about 2 lines)
            if (n > S)
                break;
            float score = mine * ks[i][lane];
            for (int step = 16; step > 0; step /= 2)
                score += __shfl_xor_sync(0xffffffffu, score, step);
            const float larger = fmaxf(max, score), scale = expf(max - larger), weight = expf(score - larger);
            sum = sum * scale + weight;
            out = out * scale + weight * vs[i][lane];
            max = larger;
        }
    }
    if (query < S)
        o[query * D + lane] = out / sum;
}

static const LabRung rungs[] = {{1, "causal tiles", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[0] > 1 << 16)
        return "at most 65536 tokens";
    for (int i = 0; i < 3; i++) {
        lab_input(c, i, c->dim[0] * D, LAB_F32);
        lab_fill_uniform(c, i, i == 2 ? 0.25 : -1.5, i == 2 ? 2 : 1.5);
    }
    lab_output(c, c->dim[0] * D, LAB_F32);
    c->out_width = D;
    c->atol = 0;
    c->rtol = 1e-4;
    return NULL;
}

/* In double. */
static void reference(LabCase *c)
{
    const size_t S = c->dim[0];
    const float *q = lab_h_in_f32(c, 0), *k = lab_h_in_f32(c, 1), *v = lab_h_in_f32(c, 2);
    double *p = (double *)malloc(sizeof(double) * (S + 1));
    for (size_t i = 0; i < S; i++) {
        const size_t keys = i + 1;
        double max = -INFINITY, sum = 0;
        for (size_t n = 0; n < keys; n++) {
            p[n] = 0;
            for (int d = 0; d < D; d++)
                p[n] += (double)q[i * D + d] * k[n * D + d];
            max = fmax(max, p[n]);
        }
        for (size_t n = 0; n < keys; n++)
            sum += p[n] = exp(p[n] - max);
        for (int d = 0; d < D; d++) {
            c->expect[i * D + d] = 0;
            for (size_t n = 0; n < keys; n++)
                c->expect[i * D + d] += p[n] / sum * v[n * D + d];
        }
    }
    free(p);
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    if (c->dim[0] > 0)
        attention_kernel<<<(unsigned)((c->dim[0] + TILE - 1) / TILE), dim3(D, TILE), 0, c->stream>>>(
            lab_in_f32(c, 0), lab_in_f32(c, 1), lab_in_f32(c, 2), lab_out_f32(c), (int)c->dim[0]);
}

static double bytes(const LabCase *c) { return 16.0 * D * (double)c->dim[0]; }
static double flops(const LabCase *c) { return 2.0 * D * (double)c->dim[0] * (double)c->dim[0]; }

static const Lab lab = {
    .name = "ex09_causal_tiles",
    .title = "tiles that no query sees",
    .dims = "S",
    .size = "8192",
    .cpu_size = "128",
    .test_sizes = "128 1 15 16 17 33 100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
