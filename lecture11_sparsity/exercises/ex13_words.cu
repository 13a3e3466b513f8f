/* Exercise 11.13 the data is the flag (3 points)
 *
 * Two kernels on two GPUs exchange their vectors while both run. A word of 8 bytes carries the value in its lower half
 * and the number of the call in its upper half, and a store of 8 bytes arrives whole. Write each of your values with
 * the number of this call into the peer's inbox. Then wait for the word at the same place in your own inbox, until it
 * has this call's number, and add its value to yours. The inbox still holds the words of the call before.
 *
 * Limits:
 *   global stores <= 100
 */
#include "gpus.cuh"
#include "lab.h"
#include "random.h"

__global__ void exchange_kernel(float *out, const float *in, unsigned long long *to_peer, unsigned long long *inbox,
                                unsigned call, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long word = 0;
    // TODO(ex13): send a word to the peer, then wait for its word (about 4 lines)
    (void)to_peer;
    (void)inbox;
    (void)call;
    out[i] = in[i] + __uint_as_float((unsigned)word);
}

enum { N = 200, CALLS = 3 };
static float given[2][N], got[N];

static int show(const LabOptions *options)
{
    int failed = 0;
    Gpus g;
    float *in[GPUS_MAX], *out[GPUS_MAX];
    unsigned long long *inbox[GPUS_MAX];
    gpus_begin(&g, 2);
    gpus_malloc(&g, (void **)in, sizeof got, 0);
    gpus_malloc(&g, (void **)out, sizeof got, 0xff);
    gpus_malloc(&g, (void **)inbox, N * sizeof **inbox, 0);
    for (unsigned call = 1; call <= CALLS; call++) {
        for (int r = 0; r < 2; r++) {
            for (int i = 0; i < N; i++)
                given[r][i] = (float)random_uniform(options->seed + 2 * call + r, i);
            CUDA_CHECK(cudaSetDevice(g.device[r]));
            CUDA_CHECK(cudaMemcpy(in[r], given[r], sizeof got, cudaMemcpyHostToDevice));
        }
        for (int r = 0; r < 2; r++) {
            CUDA_CHECK(cudaSetDevice(g.device[r]));
            exchange_kernel<<<2, 128, 0, g.stream[r]>>>(out[r], in[r], inbox[1 - r], inbox[r], call, N);
            CUDA_CHECK(cudaGetLastError());
        }
        gpus_synchronize(&g);
        for (int r = 0; r < 2; r++) {
            int bad = 0;
            CUDA_CHECK(cudaSetDevice(g.device[r]));
            CUDA_CHECK(cudaMemcpy(got, out[r], sizeof got, cudaMemcpyDeviceToHost));
            for (int i = 0; i < N; i++)
                bad += got[i] != given[0][i] + given[1][i];
            failed |= lab_claim(!bad, "call %u, rank %d: %d of %d sums are wrong", call, r, bad, N);
        }
    }
    gpus_free(&g, (void **)in);
    gpus_free(&g, (void **)out);
    gpus_free(&g, (void **)inbox);
    gpus_end(&g);
    return failed;
}

static const Lab lab = {
    .order = 13,
    .name = "ex13_words",
    .title = "the data is the flag",
    .show = show,
};
LAB_MAIN(lab)
