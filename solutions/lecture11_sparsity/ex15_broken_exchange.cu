/* Exercise 11.15 a broken program: from the left neighbour (2 points)
 *
 * Each rank fills a vector with a kernel on its own stream. Then it copies its left neighbour's vector into its own
 * memory, and adds its own vector to the copy. The host only queues the work and waits at the end. There are two
 * mistakes: in what a stream waits for, and in which GPU is current. ./run 11.15 runs `cucc --check`.
 *
 * Hint 1: a stream keeps its own order. Whose kernel must be done before the copy into y[r] may begin?
 *
 * Hint 2: a kernel runs on the current GPU, and the stream that it is launched into must be of that GPU. Which GPU is
 * current after the first loop?
 *
 * After a pass:
 * Each stream waits for the event of the rank that writes what it copies, and each launch has its own GPU current. The
 * host waits for nothing in between, so all links carry data at once. Next: give every rank the sum of all vectors this
 * way, and compare with "copies to all" in allreduce.cu.
 */
#include "gpus.cuh"
#include "lab.h"

__global__ void fill_kernel(float *x, int rank, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = (float)(1000 * rank + i);
}

__global__ void add_kernel(float *y, const float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += x[i];
}

// TODO(ex15): delete this line, and ./run 11.15 says what is wrong; fix two mistakes
/* y[r] = x[r] + the vector of its left neighbour. */
static void exchange(const Gpus *g, float *const x[], float *const y[], int n)
{
    for (int r = 0; r < g->count; r++) {
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        fill_kernel<<<2, 64, 0, g->stream[r]>>>(x[r], r, n);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(g->ready[r], g->stream[r]));
    }
    for (int r = 0; r < g->count; r++) {
        const int left = (r + g->count - 1) % g->count;
        // >>> answer
        // stub: CUDA_CHECK(cudaStreamWaitEvent(g->stream[r], g->ready[r], 0));
        CUDA_CHECK(cudaSetDevice(g->device[r]));
        CUDA_CHECK(cudaStreamWaitEvent(g->stream[r], g->ready[left], 0));
        // <<< answer
        CUDA_CHECK(cudaMemcpyPeerAsync(y[r], g->device[r], x[left], g->device[left], n * sizeof(float), g->stream[r]));
        add_kernel<<<2, 64, 0, g->stream[r]>>>(y[r], x[r], n);
        CUDA_CHECK(cudaGetLastError());
    }
}

enum { N = 100 };
static float got[N];

static int show(const LabOptions *)
{
    int failed = 0;
    for (int ranks = 2; ranks <= GPUS_MAX; ranks++) {
        Gpus g;
        float *x[GPUS_MAX], *y[GPUS_MAX];
        gpus_begin(&g, ranks);
        gpus_malloc(&g, (void **)x, sizeof got, 0xff);
        gpus_malloc(&g, (void **)y, sizeof got, 0xff);
        exchange(&g, x, y, N);
        gpus_synchronize(&g);
        for (int r = 0; r < ranks; r++) {
            int bad = 0;
            CUDA_CHECK(cudaSetDevice(g.device[r]));
            CUDA_CHECK(cudaMemcpy(got, y[r], sizeof got, cudaMemcpyDeviceToHost));
            for (int i = 0; i < N; i++)
                bad += got[i] != (float)(1000 * (r + (r + ranks - 1) % ranks) + 2 * i);
            failed |= lab_claim(!bad, "%d ranks, rank %d: %d of %d elements are wrong", ranks, r, bad, N);
        }
        gpus_free(&g, (void **)x);
        gpus_free(&g, (void **)y);
        gpus_end(&g);
    }
    return failed;
}

static const Lab lab = {
    .order = 15,
    .name = "ex15_broken_exchange",
    .title = "a broken program: from the left neighbour",
    .show = show,
};
LAB_MAIN(lab)
