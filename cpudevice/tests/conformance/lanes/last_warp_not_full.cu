// a block whose last warp has eight lanes, which name 32
#include "conformance.h"

__global__ void k(int *out)
{
    int t = threadIdx.x, x = t * t;
    x += __shfl_xor_sync(0xffffffff, x, 1);
    x += __shfl_down_sync(0xffffffff, x, 2, 4);
    out[t] = x + 1000 * __shfl_sync(0xffffffff, t, 5, 8);
}
int main()
{
    int *out = managed(40);
    k<<<1, 40>>>(out);
    return check(out, 40, [](int t) {
        auto pair = [](int i) { return i * i + (i ^ 1) * (i ^ 1); };
        int sum = pair(t) + pair(t % 4 < 2 ? t + 2 : t);
        return sum + 1000 * (t / 8 * 8 + 5);
    });
}
