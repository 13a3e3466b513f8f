// The order of blocks: each block takes a ticket, so the program sees in which order they came, in one, two and three
// dimensions, in clusters, and in a kernel with a barrier. Given are the order that is expected of one worker, and
// whatever it is, each block must have come once.
// BUILD: $cucc -O1 -std=c++17 -o $exe $case
// TEST: forward is the default
// RUN: CUDA_CPU_WORKERS=1 $exe forward
// TEST: forward
// RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_ORDER=forward $exe forward
// TEST: reverse
// RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_ORDER=reverse $exe reverse
// TEST: random
// RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_ORDER=random:7 $exe random
// TEST: a seed gives one order, another seed another
// RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_ORDER=random:7 $exe random >$work/a
// RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_ORDER=random:7 $exe random >$work/b
// RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_ORDER=random:8 $exe random >$work/c
// RUN: cmp $work/a $work/b && ! cmp -s $work/a $work/c
// TEST: with several workers each block comes once
// RUN: CUDA_CPU_WORKERS=3 CUDA_CPU_ORDER=reverse $exe any
// RUN: CUDA_CPU_WORKERS=3 CUDA_CPU_ORDER=random:18446744073709551615 $exe any
// TEST: blocks that take turns under the checker
// RUN: $cucc --check -O1 -std=c++17 -o $work/checked $case
// RUN: CUDA_CPU_ORDER=reverse $work/checked reverse
// RUN: CUDA_CPU_ORDER=random:3 $work/checked random
// TEST: no order
// RUN: CUDA_CPU_ORDER=backward $exe any
// STATUS: 2
// SAYS: CUDA_CPU_ORDER must be forward, reverse or random:SEED with a number as SEED, not "backward"
// TEST: an empty order
// RUN: CUDA_CPU_ORDER= $exe any
// STATUS: 2
// TEST: random without a seed
// RUN: CUDA_CPU_ORDER=random: $exe any
// STATUS: 2
// TEST: a seed with a word behind it
// RUN: CUDA_CPU_ORDER=random:7x $exe any
// STATUS: 2
// TEST: a negative seed
// RUN: CUDA_CPU_ORDER=random:-7 $exe any
// STATUS: 2
// TEST: a seed of more than 64 bits
// RUN: CUDA_CPU_ORDER=random:18446744073709551616 $exe any
// STATUS: 2
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

__device__ void come(int *came, int *tickets)
{
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    came[atomicAdd(tickets, 1)] = block;
}

__global__ void plain(int *came, int *tickets)
{
    if (threadIdx.x == 0)
        come(came, tickets);
}

__global__ void with_barrier(int *came, int *tickets)
{
    __shared__ int x;
    if (threadIdx.x == 1)
        x = 1;
    __syncthreads();
    if (threadIdx.x == 0 && x == 1)
        come(came, tickets);
}

__global__ void __cluster_dims__(2, 1, 1) clustered(int *came, int *tickets)
{
    if (threadIdx.x == 0)
        come(came, tickets);
}

/* What came must be each number once, and in the order that is wished. Of clusters of `size` blocks the first block's
 * number counts. */
static int wrong(const char *name, const std::vector<int> &came, const char *wish, int size)
{
    const int n = (int)came.size();
    std::vector<int> seen(n);
    int rising = 0, falling = 0;
    for (int i = 0; i < n; i++) {
        if (came[i] < 0 || came[i] >= n || seen[came[i]]++)
            return printf("%s: block %d came twice or does not exist\n", name, came[i]);
        rising += i && came[i] / size >= came[i - 1] / size;
        falling += i && came[i] / size <= came[i - 1] / size;
    }
    const bool forward = rising == n - 1, reverse = falling == n - 1;
    if (!strcmp(wish, "any") || (n == 1) || (forward && !strcmp(wish, "forward")) || (reverse && !strcmp(wish, "reverse")) ||
        (!strcmp(wish, "random") && (n < 8 || (!forward && !reverse))))
        return 0;
    return printf("%s of %d blocks: not %s\n", name, n, wish);
}

int main(int argc, char **argv)
{
    const char *wish = argc > 1 ? argv[1] : "any";
    const dim3 grids[] = {1, 2, 3, 17, 64, 200, dim3(4, 3), dim3(6, 2, 5)};
    void (*const kernels[])(int *, int *) = {plain, with_barrier, clustered};
    const char *const names[] = {"plain", "with_barrier", "clustered"};
    int *came, *tickets, failures = 0;
    cudaMalloc(&came, 200 * sizeof(int));
    cudaMalloc(&tickets, sizeof(int));
    for (int k = 0; k < 3; k++)
        for (const dim3 grid : grids) {
            if (k == 2 && grid.x % 2)
                continue;
            std::vector<int> got(grid.x * grid.y * grid.z);
            cudaMemset(tickets, 0, sizeof(int));
            kernels[k]<<<grid, 32>>>(came, tickets);
            cudaMemcpy(got.data(), came, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
            failures += wrong(names[k], got, wish, k == 2 ? 2 : 1) != 0;
            for (const int block : got)
                printf("%d ", block);
            printf("\n");
        }
    const cudaError_t e = cudaGetLastError();
    cudaFree(came);
    cudaFree(tickets);
    return e || failures ? 1 : 0;
}
