// tiles of several sizes: ranks, shuffles, votes and syncs
#include <cooperative_groups.h>
#include "conformance.h"

using namespace cooperative_groups;
__global__ void k(int *out)
{
    __shared__ int s[T];
    thread_block block = this_thread_block();
    auto tile = tiled_partition<8>(block);
    auto half = tiled_partition<4>(tile);
    int v = tile.shfl_xor(threadIdx.x, 3) + tile.meta_group_rank() * 1000;
    s[threadIdx.x] = v;
    tile.sync();
    v += s[threadIdx.x / 8 * 8 + (tile.thread_rank() + 1) % tile.size()];
    if (tile.any(threadIdx.x == 20))
        v += 100000;
    out[threadIdx.x] = v + half.shfl((int)half.thread_rank(), 2) * 1000000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int next = t / 8 * 8 + (t % 8 + 1) % 8;
        return (t ^ 3) + (next ^ 3) + 2000 * (t / 8) + (t / 8 == 2 ? 100000 : 0) + 2000000;
    });
}
