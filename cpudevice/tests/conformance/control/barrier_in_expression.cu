// barriers as parts of expressions: comma, conditional, and, and a discarded cast
#include "conformance.h"

__global__ void k(int *out, int yes)
{
    __shared__ int s[T];
    int v = (s[threadIdx.x] = threadIdx.x, __syncthreads(), s[T - 1 - threadIdx.x]);
    yes ? __syncthreads() : (void)0;
    s[threadIdx.x] = v * 2;
    (void)(yes && (__syncthreads(), true));
    v += s[0];
    (void)__syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 1);
    return check(out, T, [](int t) { return T - 1 - t + 2 * (T - 1); });
}
