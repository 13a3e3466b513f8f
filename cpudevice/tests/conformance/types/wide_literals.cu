// literals of every kind: hexadecimal, binary, octal, separated, characters, floating with exponents
#include "conformance.h"

__global__ void k(double *out)
{
    unsigned long long v = 0xFFFF'FFFF'0000'0000ull >> 32;
    int o = 0b1010'1010 + 017 + 1'000'000, c = 'a' + '\x41' + '\101' + '\0' + '\\';
    double d = 1e3 + 0x1.8p1 + .5 + 5.f + 1'0.5e-1;
    __syncthreads();
    out[threadIdx.x] = (double)v + o + c + d + (u8"x"[0] == 'x') + sizeof(L"ab") / sizeof(wchar_t);
}
int main()
{
    double *out = managed<double>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) {
        return 4294967295.0 + 170 + 15 + 1000000 + 97 + 65 + 65 + 92 + 1000 + 3 + 0.5 + 5 + 1.05 + 1 + 3;
    });
}
