// attributes on statements round barriers
#include "conformance.h"

__global__ void k(int *out, int n)
{
    int v = threadIdx.x;
    if (n > 3) [[likely]] {
        __syncthreads();
        v++;
    } else [[unlikely]] {
        v = 0;
    }
    switch (n) {
        [[likely]] case 4 : __syncthreads();
        v += 10;
        [[fallthrough]];
    default: v += 100;
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 4);
    return check(out, T, [](int t) { return t + 111; });
}
