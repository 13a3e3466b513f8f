// a variable is changed through a reference that a cast made
#include "conformance.h"

__global__ void k(int *out, unsigned bits)
{
    float f = 0;
    reinterpret_cast<unsigned &>(f) = bits;
    __syncthreads();
    (unsigned &)f += threadIdx.x << 23;
    __syncthreads();
    out[threadIdx.x] = (int)f;
}
int main()
{
    int *out = managed(20);
    k<<<1, 20>>>(out, 0x3f800000u);
    return check(out, 20, [](int t) { return 1 << t; });
}
