// a local with alignas keeps its alignment
#include "conformance.h"

__global__ void k(int *out)
{
    alignas(64) char raw[64];
    alignas(16) int v = threadIdx.x;
    raw[3] = (char)threadIdx.x;
    __syncthreads();
    int aligned = (size_t)raw % 64 == 0 && (size_t)&v % 16 == 0;
    __syncthreads();
    out[threadIdx.x] = aligned * 1000 + raw[3] + v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 1000 + 2 * t; });
}
