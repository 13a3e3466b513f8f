// names of built-in variables in sizeof, decltype and static_assert are not uses
#include "conformance.h"

__global__ void k(int *out)
{
    static_assert(sizeof threadIdx.x == 4, "an index has four bytes");
    decltype(threadIdx.x) t = sizeof(threadIdx) + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = t;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 12 + t; });
}
