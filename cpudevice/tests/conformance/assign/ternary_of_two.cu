// of two variables with simple values, one is changed by a conditional; both are read after the barrier before it
#include "conformance.h"

__global__ void k(unsigned *out)
{
    __shared__ unsigned s[T];
    unsigned a = 1, b = 1;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned c = a / b * 3;
    (threadIdx.x & 1 ? c : b) *= a << b;
    out[threadIdx.x] = c * 100 + b * 10 + a;
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t % 2 ? 611 : 321; });
}
