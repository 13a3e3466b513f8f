// a kernel changes its own parameters: each thread has its own
#include "conformance.h"

__global__ void k(int *out, int n, int *p)
{
    p += threadIdx.x;
    n -= threadIdx.x;
    __syncthreads();
    n *= 2;
    __syncthreads();
    *p = n;
    (out += blockDim.x)[threadIdx.x] = n;
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out, 1000, out);
    return check(out, 2 * T, [](int i) { return 2 * (1000 - i % T); });
}
