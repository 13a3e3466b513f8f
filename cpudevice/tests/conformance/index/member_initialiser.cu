// a default member initialiser reads threadIdx
#include "conformance.h"

struct Lane {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
};
__global__ void k(int *out)
{
    Lane a;
    out[threadIdx.x] = a.warp * 100 + a.lane;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t / 32 * 100 + t % 32; });
}
