/* Exercise 1.2 threads with nothing to do (1 point)
 *
 * There are 10 elements and blocks of 4 threads, so 3 blocks are launched, 12 threads. Each thread adds 1 to its
 * element, but two threads have none. The memory past the end of the array belongs to somebody else and must not
 * change. Write the guard.
 *
 * Limits:
 *   global stores <= 12
 *   lanes per request of global stores >= 2.5
 *
 * Hint 1: thread 2 of block 2 computes i = 10, and the last element is x[9].
 *
 * Hint 2: compare i with n, and do nothing if there is no element i.
 *
 * After a pass:
 * The grid is rounded up, and a thread whose number is n or more does nothing. One comparison costs nothing beside a
 * load from memory. Next: ask `cucc --check` what happens without it.
 */
#include "lab.h"

enum { BEHIND = 4 }; /* elements past the end of the array: not yours */

__global__ void add_one_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(ex02): only where there is an element i (about 1 line)
    // >>> answer
    if (i < n)
        // <<< answer
        x[i] += 1;
}

static int show(const LabOptions *)
{
    int failed = 0;
    for (int n : {10, 1, 4, 7, 12}) {
        float x[16 + BEHIND], *d_x;
        float found = 0;
        int wrong = 0, first = 0;
        for (int i = 0; i < n + BEHIND; i++)
            x[i] = (float)(100 + i);
        size_t bytes = (size_t)(n + BEHIND) * sizeof(float);
        CUDA_CHECK(cudaMalloc(&d_x, bytes));
        CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
        add_one_kernel<<<(n + 3) / 4, 4>>>(d_x, n);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaFree(d_x));
        for (int i = n + BEHIND - 1; i >= 0; i--) {
            float expected = (float)(i < n ? 101 + i : 100 + i);
            if (x[i] != expected)
                wrong++, first = i, found = x[i];
        }
        failed += lab_claim(wrong == 0 || first >= n, "n = %d: x[%d] is %g; expected %g, one more than before", n,
                            first, found, (float)(101 + first));
        failed += lab_claim(wrong == 0 || first < n,
                            "n = %d: x[%d] is past the end and is now %g; it was %g (%d elements past the end changed)",
                            n, first, found, (float)(100 + first), wrong);
    }
    return failed;
}

static const Lab ex02 = {.order = 2, .name = "ex02_guard", .title = "threads with nothing to do", .show = show};
LAB_MAIN(ex02)
