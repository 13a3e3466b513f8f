// sums in types that wrap early: each round wraps
#include "conformance.h"

__global__ void k(unsigned char *out, const unsigned char *in, const short *weight, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char sum = 250;
    short other = -32000;
    for (int j = 0; j < n; j++) {
        sum += in[j * 128 + i];
        other -= weight[j] + i;
    }
    out[i] = sum ^ (unsigned char)(other >> 3);
}
int main()
{
    enum { N = 100 };
    unsigned char *out = managed<unsigned char>(128), *in = managed<unsigned char>(N * 128);
    short *weight = managed<short>(N);
    for (int i = 0; i < N * 128; i++)
        in[i] = i * 7;
    for (int i = 0; i < N; i++)
        weight[i] = i * 300;
    k<<<2, T>>>(out, in, weight, N);
    return check(out, 128, [&](int i) {
        int sum = 250, other = -32000;
        for (int j = 0; j < N; j++) {
            sum = (sum + (j * 128 + i) * 7 % 256) % 256;
            other -= j * 300 + i;
        }
        return (sum ^ (((short)other >> 3) & 255)) & 255;
    });
}
