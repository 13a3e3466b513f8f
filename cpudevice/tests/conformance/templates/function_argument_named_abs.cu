// a parameter of a template, a function, has the name of a library's
#include "conformance.h"
__device__ int where(int v) { return v + threadIdx.x; }
template <int (*abs)(int)> __global__ void k(int *out)
{
    const int v = abs(1000);
    __syncthreads();
    out[threadIdx.x] = v;
    __syncthreads();
    out[threadIdx.x] += abs(1);
}
int main()
{
    int *out = managed(T);
    k<where><<<1, T>>>(out);
    return check(out, T, [](int t) { return 1001 + 2 * t; });
}
