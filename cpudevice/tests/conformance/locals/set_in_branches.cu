// a variable without an initialiser, set in the branches of thread-dependent code
#include "conformance.h"

__global__ void k(int *out)
{
    int v, w;
    if (threadIdx.x < 10)
        v = 1;
    else if (threadIdx.x < 30)
        v = 2;
    else
        v = 3;
    __syncthreads();
    switch (v) {
    case 1: w = 10; break;
    case 2: w = 20; [[fallthrough]];
    default: w = 30 + v;
    }
    __syncthreads();
    out[threadIdx.x] = v * 100 + w;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t < 10 ? 110 : t < 30 ? 232 : 333; });
}
