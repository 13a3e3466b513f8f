// tiles of a block: their shuffles, ranks and sizes, and waiting for one
#include "conformance.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int *out)
{
    __shared__ int s[2 * T];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(block);
    int t = block.thread_rank(), x = t;
    for (unsigned i = four.size() / 2; i > 0; i /= 2)
        x += four.shfl_xor(x, i);
    x += four.shfl(t, 5) * 100;
    x += warp.shfl_up(t, 30) * 10000;
    s[t] = x;
    warp.sync();
    x += s[t - warp.thread_rank() + (warp.thread_rank() + 1) % 32];
    block.sync();
    if (four.meta_group_rank() == 3)
        x = four.thread_rank() + 10 * (int)warp.num_threads() + 1000 * warp.meta_group_rank();
    cg::sync(warp);
    out[t] = x;
}
int main()
{
    enum { N = 2 * T };
    int *out = managed(N);
    k<<<1, dim3(16, 8)>>>(out);
    return check(out, N, [](int t) {
        auto x = [](int i) {
            int first = i / 4 * 4, lane = i % 32;
            return 4 * first + 6 + 100 * (first + 1) + 10000 * (lane < 30 ? i : i - 30);
        };
        return t / 4 == 3 ? t % 4 + 320 : x(t) + x(t / 32 * 32 + (t + 1) % 32);
    });
}
