// lround and its like out of range saturate; fmin and fmax of -0 and +0 and of one NaN, for any type of operands
#include "conformance.h"
#include <cmath>

__global__ void k(long long *out, const float *in)
{
    float f = in[threadIdx.x];
    double d = 3.0 * f;
    int negative = std::signbit(fmin(0.0f * f, -0.0f)) + 2 * std::signbit(fmax(-0.0f, 0.0f * fabsf(f)));
    float number = fmin(f, nanf("")) + std::fmax(nanf(""), 1.0f);
    out[4 * threadIdx.x] = llround(d) / 3 + lroundf(f) / 5;
    out[4 * threadIdx.x + 1] = std::lrint(f) / 3 + llrint(d) / 5;
    out[4 * threadIdx.x + 2] = negative;
    out[4 * threadIdx.x + 3] = number == f + 1;
}
static long long wide(double x) { return x >= 0x1p63 ? 0x7fffffffffffffff : x < -0x1p63 ? -0x7fffffffffffffff - 1 : (long long)x; }
int main()
{
    long long *out = managed<long long>(4 * T);
    float *in = managed<float>(T);
    for (int i = 0; i < T; i++)
        in[i] = i < 8 ? (i - 4) * 4e18f : (i - 30) * 0.5f;
    k<<<1, T>>>(out, in);
    return check(out, 4 * T, [&](int i) {
        float f = in[i / 4];
        double d = 3.0 * f;
        return i % 4 == 0   ? wide(std::round(d)) / 3 + wide(std::round((double)f)) / 5
               : i % 4 == 1 ? wide(std::rint((double)f)) / 3 + wide(std::rint(d)) / 5
               : i % 4 == 2 ? 1ll
                            : 1ll;
    });
}
