// a shared array that is declared in a device function belongs to the function
#include "conformance.h"

__device__ int *scratch()
{
    __shared__ int s[T];
    return s;
}
__device__ int other()
{
    __shared__ int s[T];
    s[threadIdx.x] = 1000 + threadIdx.x;
    __syncthreads();
    return s[0];
}
__global__ void k(int *out)
{
    scratch()[threadIdx.x] = threadIdx.x;
    int v = other();
    __syncthreads();
    out[threadIdx.x] = scratch()[T - 1 - threadIdx.x] + v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return T - 1 - t + 1000; });
}
