// a parameter pack, folded, with a barrier between
#include "conformance.h"

template <class... V> __device__ int sum(V... v) { return (0 + ... + (int)v); }
template <class... V> __global__ void k(int *out, V... v)
{
    __shared__ int s[T];
    int a = sum(v..., threadIdx.x);
    s[threadIdx.x] = a;
    __syncthreads();
    (..., (a += v));
    out[threadIdx.x] = a * 1000 + s[T - 1 - threadIdx.x] + sizeof...(V);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 1, 2.0f, (short)3, 'a');
    return check(out, T, [](int t) {
        int s = 6 + 'a';
        return (2 * s + t) * 1000 + s + T - 1 - t + 4;
    });
}
