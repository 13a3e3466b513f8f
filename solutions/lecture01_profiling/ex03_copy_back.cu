/* Exercise 1.3 in and out again (2 points)
 *
 * negate() gets an array of n floats in the host's memory, and afterwards each element must have the opposite sign.
 * The allocation, the launch and the freeing are given; the two copies are missing. Write them. Four arrays are
 * negated, one after the other.
 *
 * Limits:
 *   launches >= 1
 *   calls of cudaMemcpy* >= 7
 *   calls of cudaMemcpy* <= 12
 *
 * Hint 1: cudaMemcpy(to, from, bytes, kind): the destination comes first, as in memcpy.
 *
 * Hint 2: the size is in bytes, n * sizeof(float).
 *
 * Hint 3: the kinds are cudaMemcpyHostToDevice and cudaMemcpyDeviceToHost.
 *
 * After a pass:
 * cudaMemcpy() waits until the copy is done, and its last argument gives the direction. A copy in the same stream as
 * the kernel starts only when the kernel has ended. Next: exercise 1.4. Exercise 3.8 asks for the whole round trip.
 */
#include "lab.h"

__global__ void negate_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = -x[i];
}

/* h_x: n floats in the host's memory. */
static void negate(float *h_x, int n)
{
    float *d_x;
    CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
    // TODO(ex03): copy in (about 1 line)
    // >>> answer
    // stub: (void)h_x;
    CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice));
    // <<< answer
    negate_kernel<<<(n + 255) / 256, 256>>>(d_x, n);
    CUDA_CHECK(cudaGetLastError());
    // TODO(ex03): copy out (about 1 line)
    // >>> answer
    CUDA_CHECK(cudaMemcpy(h_x, d_x, n * sizeof(float), cudaMemcpyDeviceToHost));
    // <<< answer
    CUDA_CHECK(cudaFree(d_x));
}

static int show(const LabOptions *)
{
    enum { MOST = 1000, BEHIND = 8 };
    int failed = 0;
    for (int n : {1, 255, 257, (int)MOST}) {
        float x[MOST + BEHIND];
        int wrong = 0, spoilt = 0;
        for (int i = 0; i < MOST + BEHIND; i++)
            x[i] = (float)(i + 1);
        negate(x, n);
        for (int i = 0; i < n; i++)
            wrong += x[i] != -(float)(i + 1);
        for (int i = n; i < MOST + BEHIND; i++)
            spoilt += x[i] != (float)(i + 1);
        failed += lab_claim(wrong == 0, "n = %d: each element has the opposite sign (%d do not)", n, wrong) +
                  lab_claim(spoilt == 0, "n = %d: nothing past the end of the array has changed (%d elements have)", n,
                            spoilt);
    }
    return failed;
}

static const Lab ex03 = {.order = 3, .name = "ex03_copy_back", .title = "in and out again", .show = show};
LAB_MAIN(ex03)
