// and, or, not, bitand, bitor, xor_eq and their like
#include "conformance.h"

__global__ void k(int *out)
{
    int v[2] = {1, 2};
    const int t = threadIdx.x;
    if (t > 3 and not(t > 40) or t == 0)
        v[0] xor_eq 8;
    __syncthreads();
    v[1] or_eq t bitand 4;
    __syncthreads();
    out[t] = v[0] * 100 + v[1] + compl 0 + (t not_eq 5 bitor 0);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T,
                 [](int t) { return ((t > 3 && t <= 40) || t == 0 ? 9 : 1) * 100 + (2 | (t & 4)) - 1 + (t != 5); });
}
