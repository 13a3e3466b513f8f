/* Exercise 1.1 which element is mine? (1 point)
 *
 * A launch of 3 blocks of 5 threads numbers 15 elements: element i must get the number 10 i. Each thread handles one
 * element. Compute i, the element of this thread, from blockIdx.x, blockDim.x and threadIdx.x.
 *
 * Limits:
 *   global stores <= 5
 *   lanes per request of global stores >= 4
 */
#include "lab.h"

enum { BLOCKS = 3, THREADS = 5, N = BLOCKS * THREADS };

__global__ void number_kernel(int *x)
{
    // TODO(ex01): which element is mine? (about 1 line)
    int i = 0;
    x[i] = 10 * i;
}

static int show(const LabOptions *)
{
    int x[N], *d_x, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = -1;
    CUDA_CHECK(cudaMalloc(&d_x, sizeof x));
    CUDA_CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    number_kernel<<<BLOCKS, THREADS>>>(d_x);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_x));
    printf("    element");
    for (int i = 0; i < N; i++)
        printf("%4d", i);
    printf("\n    number ");
    for (int i = 0; i < N; i++) {
        printf("%4d", x[i]);
        wrong += x[i] != 10 * i;
    }
    putchar('\n');
    return lab_claim(wrong == 0, "element i has the number 10 i (-1: no thread wrote it; %d of %d are wrong)", wrong,
                     N);
}

static const Lab ex01 = {.order = 1, .name = "ex01_index", .title = "which element is mine?", .show = show};
LAB_MAIN(ex01)
