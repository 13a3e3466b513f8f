// arguments with effects on different variables, before and after barriers in the callee
#include "conformance.h"

__device__ int meet(int a, int b, int *s)
{
    s[threadIdx.x] = a;
    __syncthreads();
    int r = s[T - 1 - threadIdx.x] * 100 + b;
    __syncthreads();
    return r;
}
__global__ void k(int *out)
{
    __shared__ int s[T];
    int x = threadIdx.x, y = 5;
    int v = meet(x++, y--, s);
    v += meet(++x, --y, s) * 10000;
    out[threadIdx.x] = v + x + y;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int o = T - 1 - t;
        return o * 100 + 5 + ((o + 2) * 100 + 3) * 10000 + t + 2 + 3;
    });
}
