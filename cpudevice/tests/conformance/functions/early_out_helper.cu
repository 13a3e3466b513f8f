// a helper with a barrier in one branch of a uniform condition and none in the other
#include "conformance.h"

__device__ int maybe(int *s, int v, bool wait)
{
    if (!wait)
        return v;
    s[threadIdx.x] = v;
    __syncthreads();
    v = s[T - 1 - threadIdx.x];
    __syncthreads();
    return v;
}
__global__ void k(int *out, int mask)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    for (int i = 0; i < 5; i++)
        v = maybe(s, v + i, mask >> i & 1);
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 0x13);
    return check(out, T, [](int t) { return T - 1 - t + 10; });
}
