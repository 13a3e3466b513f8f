/* first.cu: a first program. Who am I, one kernel, one copy in, one copy out; no clock yet.
 *
 * Two parts. In the first, threads write down which block and which thread they are. In the second, an array goes to
 * the device, a kernel doubles each element, and the array comes back: after each step the lab prints what is where.
 * The same as a separate program is lecture01_profiling/first/program.cu.
 */
#include <string.h>

#include "lab.h"
#include "table.h"

enum { N = 10, BLOCK = 4, BLOCKS = (N + BLOCK - 1) / BLOCK };

// notes: who
__global__ void who_kernel(int *block, int *thread, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
    }
}
// notes end

__global__ void double_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 2 * x[i];
}

/* Returns how many elements were not done by the thread that the formula names. */
static int who_am_i(void)
{
    int block[N], thread[N], *d_block, *d_thread, wrong = 0;
    CUDA_CHECK(cudaMalloc(&d_block, sizeof block));
    CUDA_CHECK(cudaMalloc(&d_thread, sizeof thread));
    who_kernel<<<BLOCKS, BLOCK>>>(d_block, d_thread, N);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(block, d_block, sizeof block, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(thread, d_thread, sizeof thread, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_block));
    CUDA_CHECK(cudaFree(d_thread));
    printf("\n    <<<%d, %d>>>: %d threads for %d elements; each wrote down who it is\n\n    element", BLOCKS, BLOCK,
           BLOCKS * BLOCK, N);
    for (int i = 0; i < N; i++)
        printf("%4d", i);
    printf("\n    block  ");
    for (int i = 0; i < N; i++)
        printf("%4d", block[i]);
    printf("\n    thread ");
    for (int i = 0; i < N; i++)
        printf("%4d", thread[i]);
    putchar('\n');
    for (int i = 0; i < N; i++)
        wrong += block[i] * BLOCK + thread[i] != i;
    return wrong;
}

static void print_row(const char *what, const float *x)
{
    printf("    %-34s", what);
    for (int i = 0; i < N; i++)
        printf("%4g", x[i]);
    putchar('\n');
}

/* Returns how many elements are not twice what they were. */
static int there_and_back(void)
{
    float h_x[N], was[N], *d_x;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        h_x[i] = was[i] = (float)i;
    putchar('\n');
    print_row("host, before", h_x);
    CUDA_CHECK(cudaMalloc(&d_x, sizeof h_x));
    CUDA_CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
    double_kernel<<<BLOCKS, BLOCK>>>(d_x, N);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    print_row("host, after the kernel: unchanged", h_x);
    CUDA_CHECK(cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost));
    print_row("host, after the copy back", h_x);
    CUDA_CHECK(cudaFree(d_x));
    for (int i = 0; i < N; i++)
        wrong += h_x[i] != 2 * was[i];
    return wrong;
}

static int show(const LabOptions *)
{
    int strangers = who_am_i(), wrong = there_and_back();
    return lab_claim(strangers == 0, "element i was done by thread i %% %d of block i / %d (%d were not)", BLOCK, BLOCK,
                     strangers) +
           lab_claim(wrong == 0, "after the copy back each element is doubled (%d are not)", wrong);
}

static const Lab first = {
    .order = 0,
    .name = "first",
    .title = "a first program: one kernel, one copy in, one copy out",
    .look = "The threads write down who they are. Then an array goes to the device, is doubled there, and\n"
            "comes back. Until it has come back, the host's copy is what it was.",
    .show = show,
};
LAB_MAIN(first)
