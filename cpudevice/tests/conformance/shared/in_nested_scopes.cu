// shared variables in inner scopes, in branches, with one name twice
#include "conformance.h"

__global__ void k(int *out, int n)
{
    int v = threadIdx.x;
    {
        __shared__ int s[T];
        s[threadIdx.x] = v;
        __syncthreads();
        v += s[T - 1 - threadIdx.x];
    }
    __syncthreads();
    if (n > 0) {
        __shared__ int s[T], one;
        s[threadIdx.x] = v * 2;
        if (threadIdx.x == 3)
            one = n;
        __syncthreads();
        v = s[(threadIdx.x + 1) % T] + one + threadIdx.x;
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 1000);
    return check(out, T, [](int t) { return 2 * (T - 1) + 1000 + t; });
}
