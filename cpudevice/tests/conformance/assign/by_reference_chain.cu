// a reference parameter handed on to another function by reference
#include "conformance.h"

__device__ void inner(int &v, int by) { v += by; }
__device__ void outer(int &v)
{
    int &again = v;
    inner(again, 3);
}
__global__ void k(int *out)
{
    int v = threadIdx.x, untouched = 5;
    outer(v);
    __syncthreads();
    outer(v);
    __syncthreads();
    out[threadIdx.x] = v * untouched;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 6) * 5; });
}
