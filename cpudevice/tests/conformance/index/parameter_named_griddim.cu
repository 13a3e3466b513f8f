// parameters with the names of built-in variables
#include "conformance.h"
__global__ void k(int *out, dim3 blockDim, int warpSize, int3 threadIdx)
{
    __shared__ int s[4];
    if (threadIdx.x == 1)
        s[0] = blockDim.x;
    __syncthreads();
    atomicAdd(out, s[0] * warpSize + blockDim.y + threadIdx.y);
}
int main()
{
    int *out = managed(1);
    *out = 0;
    k<<<1, T>>>(out, dim3(5, 6, 7), 2, make_int3(1, 2, 3));
    return check(out, 1, [](int) { return T * (10 + 6 + 2); });
}
