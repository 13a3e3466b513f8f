// a shuffle behind && that stands beside a bitwise &: only the lanes in its mask evaluate it
#include "conformance.h"

__global__ void k(int *out)
{
    int t = threadIdx.x, lane = t % 32;
    int got = 3 & (lane < 16 && __shfl_sync(0x0000ffffu, lane + 5, 3) == 8);
    out[t] = got * 10 + lane;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t % 32 < 16 ? 10 : 0) + t % 32; });
}
