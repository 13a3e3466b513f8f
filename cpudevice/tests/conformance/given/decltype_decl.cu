// declarations that begin with decltype or an attribute
#include "conformance.h"
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    decltype(n) v = n + (int)threadIdx.x;
    s[threadIdx.x] = v;
    __syncthreads();
    out[threadIdx.x] = v + s[0];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 5);
    return check(out, T, [](int t) { return 10 + t; });
}
