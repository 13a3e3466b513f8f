// shuffles that an expression evaluates for some warps only, and more than one in a statement
#include "conformance.h"

__global__ void k(int *out)
{
    int t = threadIdx.x, warp = t / 32, x = t, y = 3 * t;
    x = warp ? __shfl_xor_sync(0xffffffff, x, 2) : -x;
    if (warp == 0 && __shfl_sync(0xffffffff, t, 4) == 4)
        x += 100;
    y = __shfl_xor_sync(0xffffffff, x, 1) + 2 * __shfl_xor_sync(0xffffffff, y, 1);
    y += __shfl_sync(0xffffffff, __shfl_sync(0xffffffff, t, 7), 3);
    out[t] = x + 1000 * y;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        auto x = [](int i) { return i < 32 ? -i + 100 : i ^ 2; };
        return x(t) + 1000 * (x(t ^ 1) + 6 * (t ^ 1) + t / 32 * 32 + 7);
    });
}
