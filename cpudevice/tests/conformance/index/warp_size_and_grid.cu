// gridDim, blockDim and warpSize in all their components
#include "conformance.h"

__global__ void k(int *out)
{
    if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z)
        return;
    int v[] = {(int)gridDim.x,  (int)gridDim.y,  (int)gridDim.z, (int)blockDim.x,
               (int)blockDim.y, (int)blockDim.z, warpSize};
    for (int i = 0; i < 7; i++)
        out[i] = v[i];
}
int main()
{
    int *out = managed(7);
    k<<<dim3(2, 3, 4), dim3(5, 6, 7)>>>(out);
    return check(out, 7, [](int i) { return i < 6 ? i + 2 : 32; });
}
