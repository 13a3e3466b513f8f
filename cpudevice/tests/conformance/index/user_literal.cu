// a user-defined literal and a unary operator that read threadIdx
#include "conformance.h"

__device__ int operator""_plus_me(unsigned long long v) { return (int)v + threadIdx.x; }
struct Mul {
    int by;
};
__device__ int operator~(Mul m) { return m.by * threadIdx.x; }
__global__ void k(int *out)
{
    int v = 100_plus_me;
    __syncthreads();
    out[threadIdx.x] = v + ~Mul{1000};
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 100 + t + 1000 * t; });
}
