// a barrier in a function that may not be inlined
#include "conformance.h"

__noinline__ __device__ int turn(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    int r = s[T - 1 - threadIdx.x];
    __syncthreads();
    return r;
}
__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = turn(s, threadIdx.x);
    v = turn(s, v * 2) + turn(s, threadIdx.x);
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * t + T - 1 - t; });
}
