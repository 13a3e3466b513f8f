// a structured binding by reference changes the members
#include "conformance.h"

struct Pair {
    int first, second;
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    Pair p = {1, 2};
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    auto &[a, b] = p;
    a += s[threadIdx.x];
    b *= 3;
    __syncthreads();
    out[threadIdx.x] = p.first * 100 + p.second;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (1 + t) * 100 + 6; });
}
