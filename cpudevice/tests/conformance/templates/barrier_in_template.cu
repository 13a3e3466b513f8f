// a function template with a barrier, for several types
#include "conformance.h"

template <class V> __device__ V opposite(V *s, V v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    V r = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return r;
}
struct P {
    int x, y;
};
__global__ void k(int *out)
{
    __shared__ int ints[T];
    __shared__ float floats[T];
    __shared__ P pairs[T];
    int t = threadIdx.x;
    out[t] = opposite(ints, t) + (int)opposite<float>(floats, t * 0.5f) * 1000 + opposite(pairs, P{1, t}).y * 100000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int o = T - 1 - t;
        return o + o / 2 * 1000 + o * 100000;
    });
}
