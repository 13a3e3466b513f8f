// values of one to eight bytes, signed and not, whole and real
#include "conformance.h"
#include <cuda_fp16.h>

__global__ void k(double *out)
{
    int t = threadIdx.x;
    signed char a = (signed char)(t - 40);
    unsigned short b = (unsigned short)(t * 1000);
    long c = -(long)t << 40;
    unsigned long long d = ~0ull - t;
    float e = t * 0.25f;
    double f = t / 3.0;
    __half g = __float2half(t * 0.5f);
    bool h = t % 3 == 0;
    double sum = 0;
    a = __shfl_xor_sync(0xffffffff, a, 1);
    b = __shfl_xor_sync(0xffffffff, b, 1);
    c = __shfl_xor_sync(0xffffffff, c, 1);
    d = __shfl_xor_sync(0xffffffff, d, 1);
    e = __shfl_xor_sync(0xffffffff, e, 1);
    f = __shfl_xor_sync(0xffffffff, f, 1);
    g = __shfl_xor_sync(0xffffffff, g, 1);
    int i = __shfl_xor_sync(0xffffffff, (int)h, 1);
    sum += a + b * 2.0 + (double)(c >> 40) * 3 + (double)(~d) * 5 + e * 7 + f * 11;
    out[t] = sum + __half2float(g) * 13 + i * 17;
}
int main()
{
    double *out = managed<double>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int o = t ^ 1;
        double sum = 0;
        sum += (o - 40) + (unsigned short)(o * 1000) * 2.0 + (double)-o * 3 + (double)o * 5 + o * 0.25f * 7 + o / 3.0 * 11;
        return sum + o * 0.5f * 13 + (o % 3 == 0) * 17;
    });
}
