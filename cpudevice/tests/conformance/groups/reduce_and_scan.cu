// cg::reduce and scans over tiles
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "conformance.h"

namespace cg = cooperative_groups;
__global__ void k(int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    int sum = cg::reduce(tile, t, cg::plus<int>()), most = cg::reduce(tile, t * 7 % 16, cg::greater<int>());
    int before = cg::exclusive_scan(tile, t, cg::plus<int>());
    out[t] = sum + most * 10000 + before * 1000000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int first = t / 16 * 16, sum = 0, before = 0;
        for (int i = first; i < first + 16; i++)
            sum += i, before += i < t ? i : 0;
        return sum + 150000 + before * 1000000;
    });
}
