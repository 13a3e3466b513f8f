// one thread of a group acts, and a labeled partition joins lanes of one value
#include <cooperative_groups.h>
#include "conformance.h"

namespace cg = cooperative_groups;
__global__ void k(int *out)
{
    __shared__ int s[4];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    if (tile.thread_rank() == 7)
        s[tile.meta_group_rank()] = threadIdx.x;
    block.sync();
    auto same = cg::labeled_partition(tile, (int)threadIdx.x % 4);
    out[threadIdx.x] = s[0] + s[1] * 100 + (int)same.size() * 10000 + (int)same.thread_rank() * 1000000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 7 + 3900 + 80000 + t % 32 / 4 * 1000000; });
}
