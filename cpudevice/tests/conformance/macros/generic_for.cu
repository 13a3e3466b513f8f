// loops made by macros, with barriers in them
#include "conformance.h"

#define REPEAT(n) for (int repeat_ = 0; repeat_ < (n); ++repeat_)
#define FOR(i, from, to) for (auto i = (from); i < (to); (i)++)
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    REPEAT(n)
    {
        s[threadIdx.x] = v;
        __syncthreads();
        FOR(j, 0, 3) v += s[(threadIdx.x + j) % T];
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 2);
    int v[T], w[T];
    for (int t = 0; t < T; t++)
        v[t] = t;
    for (int i = 0; i < 2; i++) {
        for (int t = 0; t < T; t++)
            w[t] = 2 * v[t] + v[(t + 1) % T] + v[(t + 2) % T];
        for (int t = 0; t < T; t++)
            v[t] = w[t];
    }
    return check(out, T, [&](int t) { return v[t]; });
}
