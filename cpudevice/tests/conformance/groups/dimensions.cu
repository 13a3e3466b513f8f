// a group's indices in a block of three dimensions
#include <cooperative_groups.h>
#include "conformance.h"

namespace cg = cooperative_groups;
__global__ void k(int *out)
{
    auto b = cg::this_thread_block();
    dim3 t = b.thread_index(), g = b.group_index();
    int rank = b.thread_rank();
    out[g.x * b.size() + rank] = t.x + 10 * t.y + 100 * t.z + 1000 * b.dim_threads().y + 10000 * g.x;
}
int main()
{
    int *out = managed(2 * 24);
    k<<<2, dim3(4, 3, 2)>>>(out);
    return check(out, 48, [](int i) {
        int t = i % 24;
        return t % 4 + t / 4 % 3 * 10 + t / 12 * 100 + 3000 + i / 24 * 10000;
    });
}
