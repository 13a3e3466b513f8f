/* wrong.cu: mistakes in functions that kernels with barriers call: they are found on the same lines, and things have the
 * names that the program gave them. */
// TEST: three wrong kernels are split
// RUN: [ "$(ways --check | grep -c submit_split)" = 3 ]
// TEST: three mistakes on fibers
// RUN: program fibers --check --no-split; $work/fibers
// STATUS: 99
// SAYS: 3 errors (memcheck 1, racecheck 1, initcheck 1,
// TEST: the same findings as on fibers
// RUN: program fibers --check --no-split; program loops --check
// RUN: finds fibers >$work/expected; finds loops | diff $work/expected -
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int neighbour(int value, int *s, cg::thread_block block)
{
    s[block.thread_rank()] = value;
    block.sync();
    int other = s[(block.thread_rank() + 1) % block.size()];
    s[block.thread_rank()] = 0;      /* another thread still reads it */
    block.sync();
    return other;
}
__global__ void races(int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    int x = neighbour(threadIdx.x, s, block);
    out[threadIdx.x] = x;
}
__device__ int never_written(int value)
{
    __shared__ int own[64];
    if (value < 63)
        own[value] = value;
    __syncthreads();
    return own[63 - value];
}
__global__ void reads_too_much(int *out)
{
    int x = never_written(threadIdx.x);
    out[threadIdx.x] = x;
}
__device__ void store(int *out, int value)
{
    __syncthreads();
    out[threadIdx.x + 1] = value;
}
__global__ void writes_too_far(int *out) { store(out, 3); }

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof(int));
    races<<<1, 64>>>(out);
    reads_too_much<<<1, 64>>>(out);
    writes_too_far<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
