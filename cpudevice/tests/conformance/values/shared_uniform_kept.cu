// a value that all threads load from shared memory is kept when the memory changes
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 7;
    __syncthreads();
    const int before = s;
    __syncthreads();
    if (threadIdx.x == T - 1)
        s = 100;
    __syncthreads();
    for (int i = 0; i < before; i++)
        __syncthreads();
    out[threadIdx.x] = before * 1000 + s;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 7100; });
}
