// a kernel launches itself, to a depth of four, with barriers on each level
#include "conformance.h"

__global__ void k(int *out, int depth)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x * depth;
    __syncthreads();
    out[threadIdx.x] += s[31 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0 && depth > 1)
        k<<<1, 32>>>(out, depth - 1);
}
int main()
{
    int *out = managed(32);
    for (int t = 0; t < 32; t++)
        out[t] = 0;
    k<<<1, 32>>>(out, 4);
    return check(out, 32, [](int t) { return (31 - t) * 10; });
}
