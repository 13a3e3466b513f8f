// the rounds are a parameter of a template, the sum an auto
#include "conformance.h"

template <int N> __global__ void k(long long *out, const int *in)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    auto sum = 1LL;
    for (size_t j = 0; j < N; ++j)
        sum += (long long)in[j * 128 + i] << 20;
    out[i] = sum;
}
int main()
{
    enum { N = 90 };
    long long *out = managed<long long>(128);
    int *in = managed(N * 128);
    for (int i = 0; i < N * 128; i++)
        in[i] = i % 1000;
    k<N><<<2, T>>>(out, in);
    return check(out, 128, [&](int i) {
        long long sum = 1;
        for (int j = 0; j < N; j++)
            sum += (j * 128 + i) % 1000 * (1LL << 20);
        return sum;
    });
}
