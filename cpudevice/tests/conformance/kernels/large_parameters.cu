// a parameter of 3 KB, changed by each thread in its own copy
#include "conformance.h"

struct Large {
    int v[768];
};
__global__ void k(int *out, Large large)
{
    large.v[threadIdx.x] += 1000;
    __syncthreads();
    out[threadIdx.x] = large.v[threadIdx.x] + large.v[(threadIdx.x + 1) % T] + large.v[767];
}
int main()
{
    int *out = managed(T);
    static Large large;
    for (int i = 0; i < 768; i++)
        large.v[i] = i;
    k<<<1, T>>>(out, large);
    return check(out, T, [](int t) { return t + 1000 + (t + 1) % T + 767; });
}
