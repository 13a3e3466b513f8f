// bounds of the block: some blocks go round not at all
#include "conformance.h"

__global__ void k(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 9;
    for (int j = 2; j < (int)blockIdx.x * n; j += 2)
        sum += in[j + threadIdx.x];
    out[i] = sum;
}
int main()
{
    enum { N = 40, B = 4 };
    int *out = managed(B * T), *in = managed(B * N + T);
    for (int i = 0; i < B * N + T; i++)
        in[i] = i % 23;
    k<<<B, T>>>(out, in, N);
    return check(out, B * T, [&](int i) {
        int sum = 9;
        for (int j = 2; j < i / T * N; j += 2)
            sum += (j + i % T) % 23;
        return sum;
    });
}
