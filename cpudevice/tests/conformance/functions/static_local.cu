// a static local of a device function is one variable for all threads
#include "conformance.h"

__device__ int *counter()
{
    static int count = 100;
    return &count;
}
__global__ void k(int *out)
{
    out[threadIdx.x] = 0;
    atomicAdd(counter(), threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = *counter();
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 100 + T * (T - 1) / 2; });
}
