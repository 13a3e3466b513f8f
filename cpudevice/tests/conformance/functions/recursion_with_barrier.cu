// a function with a barrier that calls itself to a depth that is the same for all threads
#include "conformance.h"

__device__ int scan(int *s, int v, int d)
{
    if (d >= T)
        return v;
    s[threadIdx.x] = v;
    __syncthreads();
    int left = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
    __syncthreads();
    return scan(s, v + left, 2 * d);
}
__global__ void k(int *out)
{
    __shared__ int s[T];
    out[threadIdx.x] = scan(s, threadIdx.x + 1, 1);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) * (t + 2) / 2; });
}
