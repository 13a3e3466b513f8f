// locals of constant value are changed through an array of their addresses
#include "conformance.h"

__global__ void k(int *out)
{
    int a = 1, b = 2;
    int *const which[2] = {&a, &b};
    __syncthreads();
    *which[threadIdx.x & 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = a * 100 + b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t % 2 ? 100 + t : t * 100 + 2; });
}
