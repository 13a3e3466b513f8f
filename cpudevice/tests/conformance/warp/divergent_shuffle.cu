// shuffles in both branches of a divergent if, by masks of the branches
#include "conformance.h"

__global__ void k(int *out)
{
    int t = threadIdx.x, lane = t % 32, v;
    if (lane < 20)
        v = __shfl_sync(0x000fffff, t * 10, 19 - lane);
    else
        v = __shfl_sync(0xfff00000, t * 100, 20 + (31 - lane));
    out[t] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int lane = t % 32, first = t - lane;
        return lane < 20 ? (first + 19 - lane) * 10 : (first + 51 - lane) * 100;
    });
}
