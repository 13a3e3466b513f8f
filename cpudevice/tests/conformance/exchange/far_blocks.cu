// blocks beyond the 2^20th
#include "conformance.h"

__global__ void k(unsigned char *out, const unsigned char *in, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 3 == 2)
        return;
    unsigned char sum = 1;
    for (int j = 0; j < rounds; j++)
        sum += in[j] * i;
    out[i] = sum;
}
int main()
{
    enum { B = (1 << 20) + 100, R = 3 };
    unsigned char *out = managed<unsigned char>(2 * B), *in = managed<unsigned char>(R);
    for (int j = 0; j < R; j++)
        in[j] = j + 2;
    for (int i = 0; i < 2 * B; i++)
        out[i] = 0;
    k<<<B, 2>>>(out, in, R);
    return check(out, 2 * B, [&](int i) { return i % 3 == 2 ? 0 : (1 + 9 * i) & 255; });
}
