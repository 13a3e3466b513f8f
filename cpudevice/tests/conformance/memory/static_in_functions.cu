// static __device__ and static __constant__ variables in kernels and device functions
#include "conformance.h"

__device__ int counted()
{
    static __device__ int calls = 2;
    return atomicAdd(&calls, 1);
}
__global__ void k(int *out)
{
    static __device__ int values[T];
    __device__ static int base = 3;
    static int plain = 4;
    int t = threadIdx.x;
    values[t] = t * base + plain;
    int call = counted();
    __syncthreads();
    out[t] = values[(t + 1) % T] + (call >= 2 && call < T + 2);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) % T * 3 + 4 + 1; });
}
