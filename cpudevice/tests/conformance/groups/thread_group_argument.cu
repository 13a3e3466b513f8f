// a function template takes any group, from a block to a tile
#include <cooperative_groups.h>
#include "conformance.h"

namespace cg = cooperative_groups;
template <class G> __device__ int sum(G &g, int *s, int v)
{
    int rank = g.thread_rank();
    s[rank] = v;
    for (int n = g.size() / 2; n > 0; n /= 2) {
        g.sync();
        if (rank < n)
            s[rank] += s[rank + n];
    }
    g.sync();
    int r = s[0];
    g.sync();
    return r;
}
__global__ void k(int *out)
{
    __shared__ int s[T];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int v = sum(block, s, threadIdx.x);
    v += 10000 * sum(tile, s + threadIdx.x / 32 * 32, 1 + tile.meta_group_rank());
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return T * (T - 1) / 2 + 320000 * (1 + t / 32); });
}
