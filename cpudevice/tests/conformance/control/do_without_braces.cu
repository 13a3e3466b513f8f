// do without braces, its statement with shifts, comparisons and templates
#include "conformance.h"

template <unsigned n> constexpr unsigned constant = n;
__global__ void k(unsigned *out)
{
    unsigned v = threadIdx.x, w = 3;
    do
        v = v << 2;
    while (0);
    __syncthreads();
    do
        w += constant<7u>;
    while (w < 20);
    do
        v += w >> 1 > 3 ? 1 : 0;
    while (v % 4);
    __syncthreads();
    out[threadIdx.x] = v * 100 + w;
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (4 * t + 4) * 100 + 24; });
}
