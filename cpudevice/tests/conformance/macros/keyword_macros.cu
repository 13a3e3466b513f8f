// macros for execution spaces, types and qualifiers
#include "conformance.h"

#define HD __host__ __device__ __forceinline__
#define GLOBAL static __global__ void
#define SHARED __shared__
#define index_t unsigned
#define restrict __restrict__
HD index_t flip(index_t i) { return T - 1 - i; }
GLOBAL k(int *restrict out)
{
    SHARED index_t s[T];
    const index_t i = threadIdx.x;
    s[i] = i;
    __syncthreads();
    out[i] = s[flip(i)];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (int)flip(flip(flip(t))); });
}
