// bit-fields wrap round at their own width
#include "conformance.h"

struct Bits {
    unsigned low : 3, high : 5;
    int negative : 4;
};
__global__ void k(int *out)
{
    Bits b = {0, 0, 0};
    b.low = threadIdx.x;
    b.high += threadIdx.x;
    __syncthreads();
    b.negative = -(int)(threadIdx.x & 7);
    b.low++;
    __syncthreads();
    out[threadIdx.x] = b.low * 10000 + b.high * 100 + b.negative;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) % 8 * 10000 + t % 32 * 100 - t % 8; });
}
