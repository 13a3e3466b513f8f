// match_any, match_all and the reductions of sm_80
#include "conformance.h"

__global__ void k(unsigned *out)
{
    unsigned t = threadIdx.x, v = __match_any_sync(~0u, t % 4);
    int same;
    v ^= __match_all_sync(~0u, t / 32, &same);
    v += same + __reduce_add_sync(~0u, t) + __reduce_max_sync(~0u, t % 7);
    out[t] = v + __reduce_or_sync(~0u, 1u << t % 3) + __reduce_min_sync(~0u, (int)t - 50) * 1000;
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        unsigned first = t / 32 * 32, sum = 0, v = (0x11111111u << t % 4) ^ ~0u;
        for (unsigned i = first; i < first + 32; i++)
            sum += i;
        return v + 1 + sum + 6 + 7 + (first - 50) * 1000;
    });
}
