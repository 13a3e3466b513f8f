// signed and unsigned division, shifts, promotions and 64-bit products
#include "conformance.h"

__global__ void k(long long *out)
{
    int t = threadIdx.x - 30;
    unsigned char a = 200 + (threadIdx.x & 3), b = 100;
    int v = t / 7 * 100 + t % 7 + (t >> 1) * 1000 + (a + b);
    __syncthreads();
    v += (unsigned char)(a + b) * 10000;
    out[threadIdx.x] =
        v + (long long)t * 0x100000000LL / 5 + __mulhi(t, 1 << 30) + (long long)__umul64hi(1ull << 63, threadIdx.x);
}
int main()
{
    long long *out = managed<long long>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int i) {
        int t = i - 30, half = t >= 0 ? t / 2 : -((1 - t) / 2), quarter = t >= 0 ? t / 4 : -((3 - t) / 4),
            a = 200 + i % 4;
        return t / 7 * 100 + t % 7 + half * 1000 + a + 100 + (a + 100 - 256) * 10000 + t * 0x100000000LL / 5 + quarter +
               i / 2;
    });
}
