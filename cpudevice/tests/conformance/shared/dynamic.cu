// dynamic shared memory, cut into parts of several types
#include "conformance.h"

__global__ void k(int *out, int n)
{
    extern __shared__ double pool[];
    double *d = pool;
    int *i = (int *)(d + n);
    short *s = reinterpret_cast<short *>(&i[n]);
    d[threadIdx.x] = threadIdx.x * 0.25;
    i[threadIdx.x] = threadIdx.x;
    s[threadIdx.x] = -threadIdx.x;
    __syncthreads();
    int o = n - 1 - threadIdx.x;
    out[threadIdx.x] = (int)(d[o] * 4) + i[o] * 100 + s[o] * 10000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T, T *(8 + 4 + 2)>>>(out, T);
    return check(out, T, [](int t) {
        int o = T - 1 - t;
        return o * 101 - 10000 * o;
    });
}
