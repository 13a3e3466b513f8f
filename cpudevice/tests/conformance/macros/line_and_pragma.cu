// #line, _Pragma and __LINE__ between the statements of a kernel
#include "conformance.h"

__global__ void k(int *out)
{
    int v = threadIdx.x;
#line 1000
    int line = __LINE__;
    _Pragma("GCC diagnostic push") __syncthreads();
#pragma GCC diagnostic pop
    v += line;
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 1000; });
}
