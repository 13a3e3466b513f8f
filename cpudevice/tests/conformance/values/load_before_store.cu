// a value loaded before a barrier is kept, though another thread changes the memory after it
#include "conformance.h"

__global__ void k(int *out, int *p)
{
    const int mine = p[threadIdx.x];
    const int twice = 2 * p[threadIdx.x];
    __syncthreads();
    p[T - 1 - threadIdx.x] = -1;
    __syncthreads();
    out[threadIdx.x] = mine * 1000 + twice + p[threadIdx.x];
}
int main()
{
    int *out = managed(T), *p = managed(T);
    for (int i = 0; i < T; i++)
        p[i] = i + 5;
    k<<<1, T>>>(out, p);
    return check(out, T, [](int t) { return (t + 5) * 1002 - 1; });
}
