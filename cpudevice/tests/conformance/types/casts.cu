// conversions between all arithmetic types, as casts, functional and implicit
#include "conformance.h"

__global__ void k(long long *out)
{
    int t = threadIdx.x;
    float f = t * 1.75f;
    unsigned char c = static_cast<unsigned char>(f * 10);
    short s = short(-f);
    unsigned u = t - 100;
    long long l = u;
    __syncthreads();
    double d = l / 3;
    bool b = f;
    int r = (int)d % 1000 + __float2int_rn(f) + (signed char)(t * 5);
    __syncthreads();
    out[t] = c + s * 1000LL + r * 1000000LL + b;
}
int main()
{
    long long *out = managed<long long>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        long long u = (1LL << 32) + t - 100; // wraps round, as t is below 100
        int quarter = 7 * t, byte = (t * 5 + 128) % 256 - 128;
        int nearest = quarter / 4 + (quarter % 4 == 3 || (quarter % 4 == 2 && quarter / 4 % 2));
        return (70 * t / 4) % 256 + -(quarter / 4) * 1000LL +
               ((int)(u / 3 % 1000) * 0 + (int)((int)(u / 3) % 1000) + nearest + byte) * 1000000LL + (t > 0);
    });
}
