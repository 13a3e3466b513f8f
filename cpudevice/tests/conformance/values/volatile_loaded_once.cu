// a volatile that a const keeps, and a flag that other threads set
#include "conformance.h"

__global__ void k(int *out, volatile int *flag)
{
    const int first = *flag;
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = first + 1;
    __syncthreads();
    const int second = *flag;
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = 50;
    __syncthreads();
    out[threadIdx.x] = first * 10000 + second * 100 + *flag;
}
int main()
{
    int *out = managed(T), *flag = managed(1);
    *flag = 3;
    k<<<1, T>>>(out, flag);
    return check(out, T, [](int) { return 30450; });
}
