// #pragma unroll in its forms before loops with and without barriers
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v += s[(threadIdx.x + i) % T];
        __syncthreads();
    }
#pragma unroll 2
    for (int i = 0; i < 3; i++)
        v += i;
    _Pragma("unroll") for (int i = 0; i < 3; i++) __syncthreads();
#pragma unroll(3)
    while (v % 3)
        v++;
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int v[T], w[T];
    for (int t = 0; t < T; t++)
        v[t] = t;
    for (int i = 0; i < 4; i++) {
        for (int t = 0; t < T; t++)
            w[t] = v[t] + v[(t + i) % T];
        for (int t = 0; t < T; t++)
            v[t] = w[t];
    }
    return check(out, T, [&](int t) { return (v[t] + 3 + 2) / 3 * 3; });
}
