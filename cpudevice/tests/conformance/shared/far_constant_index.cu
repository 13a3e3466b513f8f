// indices far out of bounds, where the kernel never comes
// alone: its file is compiled in another way
#include "conformance.h"
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (n > 5)
        s[1 << 30] = 3;
    if (n > 6)
        s[-(1 << 29)] = 3;
    out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 1);
    return check(out, T, [](int t) { return T - 1 - t; });
}
