// full and partial specialisations, of which one waits
#include "conformance.h"

template <class V, int way> struct Turn {
    static __device__ V go(V *, V v) { return v; }
};
template <class V> struct Turn<V, 1> {
    static __device__ V go(V *s, V v)
    {
        s[threadIdx.x] = v;
        __syncthreads();
        return s[T - 1 - threadIdx.x];
    }
};
template <> struct Turn<short, 1> {
    static __device__ short go(short *, short v) { return v * 2; }
};
template <class V, int way> __global__ void k(V *out)
{
    __shared__ V s[T];
    out[threadIdx.x] = Turn<V, way>::go(s, (V)threadIdx.x);
}
int main()
{
    int *a = managed(2 * T);
    short *b = managed<short>(T);
    k<int, 0><<<1, T>>>(a);
    k<int, 1><<<1, T>>>(a + T);
    k<short, 1><<<1, T>>>(b);
    cudaDeviceSynchronize();
    for (int t = 0; t < T; t++)
        a[t] += 1000 * b[t];
    return check(a, 2 * T, [](int i) { return i < T ? i + 2000 * i : T - 1 - i % T; });
}
