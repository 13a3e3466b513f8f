// of two overloads the one that takes a reference changes its argument
#include "conformance.h"

__device__ void touch(float v) { (void)v; }
__device__ void touch(int &v) { v += threadIdx.x; }
__global__ void k(int *out)
{
    int v = 3;
    float f = 2;
    touch(v);
    touch(f);
    __syncthreads();
    touch(v);
    __syncthreads();
    out[threadIdx.x] = v * 10 + (int)f;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (3 + 2 * t) * 10 + 2; });
}
