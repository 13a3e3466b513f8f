// loops without braces, one that counts in its condition, and one with a pragma before it
#include "conformance.h"

__global__ void k(float *out, const float *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0, product = 1;
#pragma unroll 4
    for (int j = 0; j < n; j++)
        sum += in[j * 128 + i];
    for (int j = n; j-- > 0;)
        product *= in[j * 128 + i] * 0 + 1;
    for (int j = 0; j < n; j++)
        for (int l = 0; l < 2; l++)
            sum += in[j * 128 + i] * l;
    out[i] = sum * product;
}
int main()
{
    enum { N = 80 };
    float *out = managed<float>(128), *in = managed<float>(N * 128);
    for (int i = 0; i < N * 128; i++)
        in[i] = i % 6;
    k<<<2, T>>>(out, in, N);
    return check(out, 128, [&](int i) {
        int sum = 0;
        for (int j = 0; j < N; j++)
            sum += (j * 128 + i) % 6 * 2;
        return sum;
    });
}
