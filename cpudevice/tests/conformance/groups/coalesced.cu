// the threads that are together in a divergent branch
#include <cooperative_groups.h>
#include "conformance.h"

namespace cg = cooperative_groups;
__global__ void k(int *out, int *counter)
{
    out[threadIdx.x] = -1;
    if (threadIdx.x % 3 == 0) {
        auto active = cg::coalesced_threads();
        int base = 0;
        if (active.thread_rank() == 0)
            base = atomicAdd(counter, (int)active.size());
        base = active.shfl(base, 0);
        out[threadIdx.x] = base >= 0 ? (int)active.thread_rank() : -2;
    }
}
int main()
{
    int *out = managed(2 * T), *counter = managed(1);
    *counter = 0;
    k<<<1, T>>>(out, counter);
    cudaDeviceSynchronize();
    out[T] = *counter;
    return check(out, T + 1, [](int t) {
        if (t == T)
            return 22;
        int rank = 0; // within the warp
        for (int i = t / 32 * 32; i < t; i++)
            rank += i % 3 == 0;
        return t % 3 ? -1 : rank;
    });
}
