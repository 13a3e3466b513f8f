/* Exercise 11.12 a ring of copies (2 points)
 *
 * G ranks form a ring, and the vector of each is cut into G parts. In each step every rank sends one part to its right
 * neighbour, rank + 1 modulo G. In the first G - 1 steps the receiver adds what comes to its own part of the same
 * number (reduce-scatter); in the next G - 1 it replaces its own part (all-gather). At the end every rank has the sum
 * of all vectors. Say which part a rank sends in each step, step 0 to G - 2 of each half.
 *
 * Hint 1: in the first half a rank passes on what it has just received and added to, which its left neighbour sent one
 * step before. So the part at step s is the part of the left neighbour at step s - 1.
 *
 * Hint 2: begin with part rank at step 0; in step s that is (rank - s) modulo G. In C, % of a negative number is
 * negative: add G.
 *
 * Hint 3: after G - 1 steps the last part that rank r received is complete. That is part r + 1 modulo G, and it is what
 * r sends first in the second half.
 *
 * After a pass:
 * Each rank sends 2 (G - 1) parts of n / G elements, and all links carry data in each step, so the bytes per rank stay
 * below 2 n for any number of GPUs. The price is 2 (G - 1) steps, each with its latency. Next: draw the steps of four
 * ranks on paper, and compare them with the ring of copies in allreduce.cu.
 */
#include "gpus.cuh"
#include "lab.h"
#include "random.h"

/* The part that `rank` sends in a step of the first half: the receiver adds it. */
static int part_to_add(int step, int rank, int ranks)
{
    // TODO(ex12): which part, 0 to ranks - 1 (1 line)
    // >>> answer
    // stub: return 0 * step * rank * ranks;
    return (rank - step + ranks) % ranks;
    // <<< answer
}

/* The part that `rank` sends in a step of the second half: the receiver keeps it. */
static int part_to_keep(int step, int rank, int ranks)
{
    // TODO(ex12): which part, 0 to ranks - 1 (1 line)
    // >>> answer
    // stub: return 0 * step * rank * ranks;
    return (rank + 1 - step + ranks) % ranks;
    // <<< answer
}

__global__ void add_kernel(float *to, const float *from, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] += from[i];
}

enum { PART = 50 };
static float given[GPUS_MAX][GPUS_MAX * PART], got[GPUS_MAX * PART];

/* One step of all ranks: a copy into the right neighbour's inbox, then the neighbour adds it or moves it. */
static int step(const Gpus *g, float *const x[], float *const inbox[], int (*part)(int, int, int), int s, bool add)
{
    for (int r = 0; r < g->count; r++) {
        const int p = part(s, r, g->count), right = (r + 1) % g->count;
        if (p < 0 || p >= g->count)
            return lab_claim(0, "%d ranks, step %d: rank %d sends part %d", g->count, s, r, p);
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaMemcpyPeerAsync(inbox[right], g->device[right], x[r] + p * PART, g->device[r],
                                       PART * sizeof(float), g->stream[r]));
    }
    gpus_synchronize(g);
    for (int r = 0; r < g->count; r++) {
        const int right = (r + 1) % g->count;
        float *to = x[right] + part(s, r, g->count) * PART;
        CUDA_CHECK(cudaSetDevice(g->device[right]));
        if (add)
            add_kernel<<<1, 64, 0, g->stream[right]>>>(to, inbox[right], PART);
        else
            CUDA_CHECK(
                cudaMemcpyAsync(to, inbox[right], PART * sizeof(float), cudaMemcpyDeviceToDevice, g->stream[right]));
        CUDA_CHECK(cudaGetLastError());
    }
    gpus_synchronize(g);
    return 0;
}

static int wrong(const Gpus *g, float *const x[])
{
    int bad = 0;
    for (int r = 0; r < g->count; r++) {
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaMemcpy(got, x[r], g->count * PART * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < g->count * PART; i++) {
            float sum = 0;
            for (int k = 0; k < g->count; k++)
                sum += given[k][i];
            bad += got[i] != sum;
        }
    }
    return bad;
}

static int show(const LabOptions *options)
{
    int failed = 0;
    for (int ranks = 2; ranks <= GPUS_MAX; ranks++) {
        Gpus g;
        float *x[GPUS_MAX], *inbox[GPUS_MAX];
        gpus_begin(&g, ranks);
        gpus_malloc(&g, (void **)x, sizeof got, 0);
        gpus_malloc(&g, (void **)inbox, PART * sizeof(float), 0xff);
        for (int r = 0; r < ranks; r++) {
            for (int i = 0; i < ranks * PART; i++) /* whole numbers: the order of the sum does not matter */
                given[r][i] = (float)(random_u64(options->seed + r, i) % 1000);
            CUDA_CHECK(cudaSetDevice(g.device[r]));
            CUDA_CHECK(cudaMemcpy(x[r], given[r], sizeof got, cudaMemcpyHostToDevice));
        }
        int out = 0;
        for (int s = 0; s < ranks - 1 && !out; s++)
            out = step(&g, x, inbox, part_to_add, s, true);
        for (int s = 0; s < ranks - 1 && !out; s++)
            out = step(&g, x, inbox, part_to_keep, s, false);
        const int bad = wrong(&g, x);
        failed |= out | lab_claim(!bad, "%d ranks, %d steps: %d elements are wrong", ranks, 2 * (ranks - 1), bad);
        gpus_free(&g, (void **)x);
        gpus_free(&g, (void **)inbox);
        gpus_end(&g);
    }
    return failed;
}

static const Lab lab = {
    .order = 12,
    .name = "ex12_ring",
    .title = "a ring of copies",
    .show = show,
};
LAB_MAIN(lab)
