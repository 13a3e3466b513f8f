// x <<= n and x >>= n of variables, elements, members and bit fields; the place is found once
#include "conformance.h"

struct Parts {
    unsigned low : 12;
    int high : 20;
    long long whole;
};
__global__ void k(long long *out, const int *count)
{
    int n = count[threadIdx.x], at = 0;
    int a[3] = {1, 3, 5};
    unsigned char narrow = 200;
    volatile int seen = 9;
    Parts p = {5, -3, 7}, *q = &p;
    a[at++] <<= n;
    a[at++] >>= n;
    a[at] <<= n & 3;
    narrow >>= n;
    seen <<= n;
    p.low <<= n;
    p.high >>= n;
    q->whole <<= n;
    out[threadIdx.x] = a[0] + 3ll * a[1] + 5ll * a[2] + 7ll * narrow + 11ll * seen + 13ll * p.low + 17ll * p.high +
                       19ll * (p.whole >> 32) + at;
}
static long long left(long long v, int n, int bits) { return n < 0 || n >= bits ? 0 : v * (1ll << n); }
static long long right(long long v, int n) { return n < 0 || n > 31 ? (v < 0 ? -1 : 0) : v >> n; }
int main()
{
    long long *out = managed<long long>(T);
    int *count = managed(T);
    for (int i = 0; i < T; i++)
        count[i] = i < 40 ? i : i < 60 ? -i : 1000 * i;
    k<<<1, T>>>(out, count);
    return check(out, T, [&](int t) {
        int n = count[t];
        return (long long)(int)left(1, n, 32) + 3 * right(3, n) + 5 * (5ll << (n & 3)) + 7 * right(200, n) +
               11ll * (int)left(9, n, 32) + 13 * (left(5, n, 32) & 4095) + 17 * right(-3, n) +
               19 * ((n < 0 || n > 63 ? 0 : (long long)(7ull << n)) >> 32) + 2;
    });
}
