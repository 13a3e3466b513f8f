// if constexpr leaves a branch out, with barriers in both
#include "conformance.h"

template <bool wide, class V> __global__ void k(V *out)
{
    __shared__ V s[T];
    s[threadIdx.x] = threadIdx.x;
    if constexpr (wide) {
        __syncthreads();
        out[threadIdx.x] = s[T - 1 - threadIdx.x];
    } else if constexpr (sizeof(V) == 1) {
        __syncthreads();
        out[threadIdx.x] = s[0];
        out->nothing();
    } else {
        __syncthreads();
        out[threadIdx.x] = s[1];
    }
}
int main()
{
    int *out = managed(2 * T);
    k<true><<<1, T>>>(out);
    k<false><<<1, T>>>(out + T);
    return check(out, 2 * T, [](int i) { return i < T ? T - 1 - i : 1; });
}
