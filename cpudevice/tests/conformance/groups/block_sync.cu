// a thread_block by value, by reference, by auto and from a function
#include <cooperative_groups.h>
#include "conformance.h"

namespace cg = cooperative_groups;
__device__ int turn(cg::thread_block block, int *s, int v)
{
    s[block.thread_rank()] = v;
    block.sync();
    return s[block.size() - 1 - block.thread_rank()];
}
__device__ void wait(const cg::thread_block &block) { cg::sync(block); }
__global__ void k(int *out)
{
    __shared__ int s[T];
    auto block = cg::this_thread_block();
    int v = turn(block, s, threadIdx.x);
    wait(block);
    v += turn(cg::this_thread_block(), s, v) * 100;
    block.sync();
    out[block.thread_rank()] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return T - 1 - t + 100 * t; });
}
