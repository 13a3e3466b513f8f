// shifts by any count: a count that reaches the width clamps, as PTX's shl and shr do; of 64 bits the lower half counts
#include "conformance.h"

struct Shifted {
    int left, right;
    unsigned uleft, uright;
    long long wide, wide_right;
    unsigned long long uwide, uwide_right;
    int of_char, of_short, by_long;
};
__global__ void k(Shifted *out, const int *count, const int *value)
{
    int n = count[threadIdx.x], v = value[threadIdx.x];
    signed char c = (signed char)v;
    unsigned short s = (unsigned short)v;
    long long far = 0x100000000ll + n;
    out[threadIdx.x] = {v << n, v >> n, (unsigned)v << n, (unsigned)v >> n, (long long)v << n, (long long)v >> n,
                        (unsigned long long)v << n, (unsigned long long)v >> n, c << n, s >> n, v << far};
}
static unsigned long long left(unsigned long long v, unsigned n, unsigned bits)
{
    for (unsigned i = 0; i < n && i < 64; i++)
        v *= 2;
    return bits == 32 ? (unsigned)v : v;
}
static long long right(long long v, unsigned n)
{
    for (unsigned i = 0; i < n && i < 64; i++)
        v = v < 0 ? -((-(v + 1)) / 2) - 1 : v / 2;
    return v;
}
static unsigned long long uright(unsigned long long v, unsigned n)
{
    for (unsigned i = 0; i < n && i < 64; i++)
        v /= 2;
    return v;
}
int main()
{
    Shifted *out = managed<Shifted>(T);
    int *count = managed(T), *value = managed(T), *ok = managed(T);
    const int counts[] = {0, 1, 5, 31, 32, 33, 63, 64, 65, 100, 256, -1, -32, 2147483647, 7, 16};
    for (int i = 0; i < T; i++) {
        count[i] = counts[i % 16];
        value[i] = i % 3 == 0 ? -1 - i * 7919 : i % 3 == 1 ? 1 + i * 104729 : (i & 1 ? 2147483647 : -2147483647 - 1);
    }
    k<<<1, T>>>(out, count, value);
    cudaDeviceSynchronize();
    for (int i = 0; i < T; i++) {
        const unsigned n = (unsigned)count[i];
        const int v = value[i];
        const Shifted &s = out[i];
        ok[i] = s.left == (int)left((unsigned)v, n, 32) && s.right == right(v, n) &&
                s.uleft == (unsigned)left((unsigned)v, n, 32) && s.uright == uright((unsigned)v, n) &&
                s.wide == (long long)left((unsigned long long)v, n, 64) && s.wide_right == right(v, n) &&
                s.uwide == left((unsigned long long)v, n, 64) && s.uwide_right == uright((unsigned long long)v, n) &&
                s.of_char == (int)left((unsigned)(int)(signed char)v, n, 32) &&
                s.of_short == (int)uright((unsigned short)v, n) && s.by_long == (int)left((unsigned)v, n, 32);
    }
    return check(ok, T, [](int) { return 1; });
}
