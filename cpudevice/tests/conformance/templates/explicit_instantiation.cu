// an explicitly instantiated kernel, one with explicit arguments and one with deduced ones
#include "conformance.h"

template <class V, int N = 4> __global__ void k(V *out, V by)
{
    __shared__ V s[N * 16];
    s[threadIdx.x] = (V)threadIdx.x * by;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
template __global__ void k<int, 4>(int *, int);
int main()
{
    int *out = managed(3 * T);
    k<int, 4><<<1, T>>>(out, 1);
    k<int><<<1, T>>>(out + T, 2);
    k<><<<1, T>>>(out + 2 * T, 3);
    return check(out, 3 * T, [](int i) { return (T - 1 - i % T) * (1 + i / T); });
}
