// quotients of narrow integers are ints; by 0 those without sign have 16 bits; operands of two types are converted first
#include "conformance.h"

__global__ void k(long long *out, const int *a, const int *b)
{
    int x = a[threadIdx.x], y = b[threadIdx.x];
    signed char c = (signed char)x, d = (signed char)y;
    unsigned char e = (unsigned char)x, f = (unsigned char)y;
    short g = (short)x, h = (short)y;
    bool one = x & 1;
    long long sum = c / d + 3 * (e / f) + 5 * (g / h);
    sum += 7ll * (x / (unsigned)(y | 1)) + 11ll * (c % (y | 1)) + 13 * (one / (y | 1));
    out[threadIdx.x] = sum;
}
int main()
{
    long long *out = managed<long long>(T);
    int *a = managed(T), *b = managed(T);
    for (int i = 0; i < T; i++)
        a[i] = i * 977 - 20000, b[i] = i % 4 == 0 ? 0 : i % 4 == 1 ? -1 : i * 31 - 900;
    a[1] = -32768, a[5] = -128;
    k<<<1, T>>>(out, a, b);
    return check(out, T, [&](int t) {
        int x = a[t], y = b[t], c = (signed char)x, d = (signed char)y, e = x & 255, f = y & 255, g = (short)x,
            h = (short)y;
        long long sum = (d ? c / d : -1) + 3 * (f ? e / f : 0xffff) + 5 * (h ? g / h : -1);
        return sum + 7ll * ((unsigned)x / (unsigned)(y | 1)) + 11ll * (c % (y | 1)) + 13 * ((x & 1) / (y | 1));
    });
}
