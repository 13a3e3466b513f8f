// a grid-stride loop with a ragged end
#include "conformance.h"

__global__ void k(int *out, int n)
{
    const auto stride = gridDim.x * blockDim.x;
    for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = i * i;
}
int main()
{
    int *out = managed(1001);
    k<<<7, 33>>>(out, 1001);
    return check(out, 1001, [](int i) { return i * i; });
}
