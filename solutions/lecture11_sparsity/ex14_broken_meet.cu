/* Exercise 11.14 a broken kernel: two GPUs meet (3 points)
 *
 * A kernel runs on two GPUs at the same time. Each doubles its vector in its own memory, adds the peer's vector to it,
 * and clears its own for the next call. Block b of one GPU meets block b of the other by flags in the peer's memory.
 * There are two mistakes. One is about which threads a fence reaches, the other about which GPU may still be reading.
 * ./run 11.14 runs `cucc --check`.
 *
 * Hint 1: `__threadfence()` orders the writes for the threads of its own GPU. Which fence orders them for the peer, and
 * must the reader have one, too?
 *
 * Hint 2: a GPU that has added clears its vector. How does it know that the peer has added as well?
 *
 * After a pass:
 * `__threadfence_system()` comes before the flag is written and after it is read, and the blocks meet a second time
 * before anyone changes what the peer reads. Two blocks that wait for each other must be resident at once, so such a
 * grid is no larger than the GPU. Next: compare with meet() in allreduce.cu, which does this for any number of GPUs.
 */
#include "gpus.cuh"
#include "lab.h"
#include "random.h"

// TODO(ex14): delete this line, and ./run 11.14 says what is wrong; fix two mistakes
/* Block b waits until block b of the peer is here, too. `when` is 1, 2, 3 ... */
__device__ static void meet(volatile unsigned *theirs, volatile unsigned *mine, unsigned when)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        // >>> answer
        // stub: __threadfence();
        __threadfence_system();
        // <<< answer
        theirs[blockIdx.x] = when;
        while (mine[blockIdx.x] < when)
            ;
        // >>> answer
        // stub: __threadfence();
        __threadfence_system();
        // <<< answer
    }
    __syncthreads();
}

__global__ void sum_kernel(float *out, const float *in, float *x, const float *peer, unsigned *theirs, unsigned *mine,
                           unsigned call)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 2 * in[i];
    meet(theirs, mine, 2 * call + 1);
    out[i] = x[i] + peer[i];
    // >>> answer
    meet(theirs, mine, 2 * call + 2);
    // <<< answer
    x[i] = 0;
}

enum { BLOCKS = 2, THREADS = 64, N = BLOCKS * THREADS, CALLS = 3 };
static float given[2][N], got[N];

static int show(const LabOptions *options)
{
    int failed = 0;
    Gpus g;
    float *in[GPUS_MAX], *x[GPUS_MAX], *out[GPUS_MAX];
    unsigned *flag[GPUS_MAX];
    gpus_begin(&g, 2);
    gpus_malloc(&g, (void **)in, sizeof got, 0);
    gpus_malloc(&g, (void **)x, sizeof got, 0);
    gpus_malloc(&g, (void **)out, sizeof got, 0xff);
    gpus_malloc(&g, (void **)flag, BLOCKS * sizeof **flag, 0);
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i < N; i++)
            given[r][i] = (float)random_uniform(options->seed + r, i);
        CUDA_CHECK(cudaSetDevice(g.device[r]));
        CUDA_CHECK(cudaMemcpy(in[r], given[r], sizeof got, cudaMemcpyHostToDevice));
    }
    for (unsigned call = 0; call < CALLS; call++)
        for (int r = 0; r < 2; r++) {
            CUDA_CHECK(cudaSetDevice(g.device[r]));
            sum_kernel<<<BLOCKS, THREADS, 0, g.stream[r]>>>(out[r], in[r], x[r], x[1 - r], flag[1 - r], flag[r], call);
            CUDA_CHECK(cudaGetLastError());
        }
    gpus_synchronize(&g);
    for (int r = 0; r < 2; r++) {
        int bad = 0;
        CUDA_CHECK(cudaSetDevice(g.device[r]));
        CUDA_CHECK(cudaMemcpy(got, out[r], sizeof got, cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++)
            bad += got[i] != 2 * given[0][i] + 2 * given[1][i];
        failed |= lab_claim(!bad, "%d calls, rank %d: %d of %d sums are wrong", CALLS, r, bad, N);
    }
    gpus_free(&g, (void **)in);
    gpus_free(&g, (void **)x);
    gpus_free(&g, (void **)out);
    gpus_free(&g, (void **)flag);
    gpus_end(&g);
    return failed;
}

static const Lab lab = {
    .order = 14,
    .name = "ex14_broken_meet",
    .title = "a broken kernel: two GPUs meet",
    .show = show,
};
LAB_MAIN(lab)
