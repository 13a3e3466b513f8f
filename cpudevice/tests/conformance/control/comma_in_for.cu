// a for with several variables, commas and a barrier in its step
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    for (int i = 0, n = 3, *p = &v; i < n; i++, *p += 2, __syncthreads()) {
        s[threadIdx.x] = v;
        __syncthreads();
        v += s[(threadIdx.x + i) % T], n -= i == 2;
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int v[T], w[T];
    for (int t = 0; t < T; t++)
        v[t] = t;
    for (int i = 0; i < 3; i++) {
        for (int t = 0; t < T; t++)
            w[t] = v[t] + v[(t + i) % T] + 2;
        for (int t = 0; t < T; t++)
            v[t] = w[t];
    }
    return check(out, T, [&](int t) { return v[t]; });
}
