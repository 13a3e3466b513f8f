// a loop made of goto, with a barrier in it
#include "conformance.h"

__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    int i = 0, v = threadIdx.x;
again:
    s[threadIdx.x] = v;
    __syncthreads();
    v = s[(threadIdx.x + 1) % T] + 1;
    __syncthreads();
    if (++i < n)
        goto again;
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 3);
    return check(out, T, [](int t) { return (t + 3) % T + 3; });
}
