// __launch_bounds__, static, inline-like attributes and qualifiers in several orders, with a declaration before
#include "conformance.h"

__global__ void __launch_bounds__(T) first(int *out);
template <class V> __launch_bounds__(128, 2) __global__ void second(V *out);
static __global__ __launch_bounds__(64 * 2) void third(int *);
void __global__ fourth(int *out) { out[threadIdx.x] = 4; }
int main()
{
    int *out = managed(4 * T);
    first<<<1, T>>>(out);
    second<<<1, T>>>(out + T);
    third<<<1, T>>>(out + 2 * T);
    fourth<<<1, T>>>(out + 3 * T);
    return check(out, 4 * T, [](int i) { return i / T + 1; });
}
__global__ void first(int *result) { result[threadIdx.x] = 1; }
template <class V> __global__ void second(V *out)
{
    __shared__ V s[T];
    s[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
static __global__ void third(int *result) { result[threadIdx.x] = 3; }
