// auto, auto &, auto *, const auto &, auto && and decltype(auto)
#include "conformance.h"

__global__ void k(int *out)
{
    auto a = threadIdx.x;
    auto &r = a;
    auto *p = &a;
    const auto &c = a;
    auto &&f = a + 1;
    decltype(auto) d = (a);
    __syncthreads();
    r += 1, *p += 1, d += 1;
    f *= 2;
    __syncthreads();
    out[threadIdx.x] = c * 1000 + f;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 3) * 1000 + (t + 1) * 2; });
}
