// a const is what its initialiser was then, not what it would be now
#include "conformance.h"

__global__ void k(int *out, int *global)
{
    int x = threadIdx.x;
    const int before = x * 2;
    const int loaded = global[threadIdx.x];
    x = 1000;
    global[threadIdx.x] = -1;
    __syncthreads();
    const int *p = global + (T - 1 - threadIdx.x);
    const int after = *p;
    __syncthreads();
    global[threadIdx.x] = 77;
    __syncthreads();
    out[threadIdx.x] = before + loaded * 1000 + after + x;
}
int main()
{
    int *out = managed(T), *global = managed(T);
    for (int i = 0; i < T; i++)
        global[i] = i + 1;
    k<<<1, T>>>(out, global);
    return check(out, T, [](int t) { return 2 * t + (t + 1) * 1000 - 1 + 1000; });
}
