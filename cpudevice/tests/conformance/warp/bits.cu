// bit intrinsics and byte permutations
#include "conformance.h"

__global__ void k(unsigned *out)
{
    unsigned x = threadIdx.x * 2654435761u + 1;
    out[threadIdx.x] = __popc(x) + __clz(x) * 100 + __ffs(x) * 10000 + (__brev(x) >> 24) * 1000000 +
                       (__byte_perm(x, 0, 0x0123) & 1) + __funnelshift_l(x, x, 8) % 3;
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        unsigned x = t * 2654435761u + 1, ones = 0, zeros = 0, first = 0, reversed = 0;
        for (int i = 0; i < 32; i++)
            ones += x >> i & 1, reversed |= (x >> i & 1) << (31 - i);
        for (int i = 31; i >= 0 && !(x >> i & 1); i--)
            zeros++;
        for (int i = 31; i >= 0; i--)
            first = x >> i & 1 ? i + 1 : first;
        unsigned swapped = x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
        return ones + zeros * 100 + first * 10000 + (reversed >> 24) * 1000000 + (swapped & 1) + (x << 8 | x >> 24) % 3;
    });
}
