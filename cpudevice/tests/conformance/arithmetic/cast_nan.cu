// not-a-number as an integer: 0 from float in 32 bits, else the highest bit alone (PTX ISA, cvt); as a bool it is true
#include "conformance.h"

__global__ void k(unsigned long long *out, const float *in)
{
    float f = in[threadIdx.x];
    double d = f;
    unsigned long long all[8] = {(unsigned)(int)f, (unsigned)f, (unsigned char)f, (unsigned long long)(long long)f,
                                 (unsigned long long)f, (unsigned)(int)d, (unsigned)d, (unsigned long long)(bool)f};
    for (int i = 0; i < 8; i++)
        out[threadIdx.x * 8 + i] = all[i];
}
int main()
{
    unsigned long long *out = managed<unsigned long long>(8 * T);
    float *in = managed<float>(T);
    for (int i = 0; i < T; i++)
        in[i] = i % 2 ? __builtin_nanf("") : -__builtin_nanf("0x1234");
    k<<<1, T>>>(out, in);
    const unsigned long long want[8] = {0, 0, 0, 1ull << 63, 1ull << 63, 1ull << 31, 1ull << 31, 1};
    return check(out, 8 * T, [&](int i) { return want[i % 8]; });
}
