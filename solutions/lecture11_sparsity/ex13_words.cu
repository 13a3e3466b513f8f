/* Exercise 11.13 the data is the flag (3 points)
 *
 * Two kernels on two GPUs exchange their vectors while both run. A word of 8 bytes carries the value in its lower half
 * and the number of the call in its upper half, and a store of 8 bytes arrives whole. Write each of your values with
 * the number of this call into the peer's inbox. Then wait for the word at the same place in your own inbox, until it
 * has this call's number, and add its value to yours. The inbox still holds the words of the call before.
 *
 * Limits:
 *   global stores <= 100
 *
 * Hint 1: __float_as_uint(x) gives a float's bits, __uint_as_float(bits) the float; the upper half is a shift by 32.
 *
 * Hint 2: a compiler may read an ordinary variable once and loop for ever: read and write the words through volatile
 * unsigned long long *.
 *
 * Hint 3: while ((unsigned)((word = *from) >> 32) != call); and send before you wait, or both wait for ever.
 *
 * After a pass:
 * There is no fence and no separate flag: whoever sees the number has the value, since both came in one store. This
 * doubles the bytes but saves a round trip over the link, which pays off for small vectors. NCCL calls this protocol
 * LL. Next: more than two ranks, and two inboxes in turn, as in words_kernel8 of allreduce.cu.
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
    // >>> answer
    // stub: (void)to_peer;
    // stub: (void)inbox;
    // stub: (void)call;
    *(volatile unsigned long long *)&to_peer[i] = (unsigned long long)call << 32 | __float_as_uint(in[i]);
    volatile unsigned long long *from = &inbox[i];
    while ((unsigned)((word = *from) >> 32) != call)
        ;
    // <<< answer
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
