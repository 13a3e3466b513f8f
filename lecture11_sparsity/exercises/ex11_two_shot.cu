/* Exercise 11.11 two-shot: a sum over several GPUs (3 points)
 *
 * Each of G ranks has a vector of n floats in its GPU's memory, and each must get the sum of all of them. The kernel
 * runs once on each GPU and may read and write the memory of all. Rank r adds part r, the elements from n * r / G up to
 * n * (r + 1) / G, of all vectors, and writes the sums into every rank's output. Add in the order of the ranks, so that
 * the bits do not depend on which rank adds. n need not be a multiple of G.
 */
#include "gpus.cuh"
#include "lab.h"
#include "random.h"

typedef struct View {
    int rank, ranks;
    const float *in[GPUS_MAX];
    float *out[GPUS_MAX];
} View;

__global__ void two_shot_kernel(View v, int n)
{
    // TODO(ex11): add this rank's part and write it to all ranks (about 9 lines)
    (void)v;
    (void)n;
}

enum { N = 1003 };
static float given[GPUS_MAX][N], got[N];

/* Elements of every rank's output that are wrong; `alone`: only that rank has run, or all (-1). */
static int wrong(const Gpus *g, const View *v, int n, int alone)
{
    int bad = 0;
    for (int r = 0; r < g->count; r++) {
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaMemcpy(got, v->out[r], N * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++) {
            float sum = given[0][i];
            for (int k = 1; k < g->count; k++)
                sum += given[k][i];
            const int part = alone >= 0 && (i < n * alone / g->count || i >= n * (alone + 1) / g->count);
            bad += i >= n || part ? got[i] == got[i] : !(got[i] == sum);
        }
    }
    return bad;
}

/* NaN in every output, then one rank's kernel, or all. */
static int run(const Gpus *g, View *v, int n, int alone)
{
    for (int r = 0; r < g->count; r++) {
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaMemsetAsync(v->out[r], 0xff, N * sizeof(float), g->stream[r]));
    }
    gpus_synchronize(g);
    for (int r = 0; r < g->count; r++)
        if (alone < 0 || alone == r) {
            v->rank = r;
            CUDA_CHECK(cudaSetDevice(g->device[r]));
            two_shot_kernel<<<2, 64, 0, g->stream[r]>>>(*v, n);
            CUDA_CHECK(cudaGetLastError());
        }
    gpus_synchronize(g);
    return wrong(g, v, n, alone);
}

static int show(const LabOptions *options)
{
    static const int sizes[] = {1, 64, N};
    int failed = 0;
    for (int ranks = 2; ranks <= GPUS_MAX; ranks++) {
        Gpus g;
        View v = {0, ranks, {}, {}};
        gpus_begin(&g, ranks);
        gpus_malloc(&g, (void **)v.in, sizeof got, 0);
        gpus_malloc(&g, (void **)v.out, sizeof got, 0xff);
        for (int r = 0; r < ranks; r++) {
            for (int i = 0; i < N; i++)
                given[r][i] = (float)random_uniform(options->seed + r, i);
            CUDA_CHECK(cudaSetDevice(g.device[r]));
            CUDA_CHECK(cudaMemcpy((void *)v.in[r], given[r], sizeof got, cudaMemcpyHostToDevice));
        }
        for (int n : sizes) {
            int bad = run(&g, &v, n, -1);
            failed |= lab_claim(!bad, "%d ranks, %4d elements: %d of the outputs are wrong", ranks, n, bad);
        }
        for (int r = 0; r < ranks; r++) {
            int bad = run(&g, &v, N, r);
            failed |=
                lab_claim(!bad, "%d ranks: rank %d alone writes its part, and %d elements wrongly", ranks, r, bad);
        }
        gpus_free(&g, (void **)v.in);
        gpus_free(&g, (void **)v.out);
        gpus_end(&g);
    }
    return failed;
}

static const Lab lab = {
    .order = 11,
    .name = "ex11_two_shot",
    .title = "two-shot: a sum over several GPUs",
    .show = show,
};
LAB_MAIN(lab)
