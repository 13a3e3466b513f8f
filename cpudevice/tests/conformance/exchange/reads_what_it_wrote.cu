// each round reads what the same thread wrote in the one before, in memory
#include "conformance.h"

__global__ void k(int *h, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 1; j < rounds; j++)
            h[j * n + i] = h[(j - 1) * n + i] * 5 + j;
}
int main()
{
    enum { N = 100, R = 90 };
    int *h = managed(N * R);
    for (int i = 0; i < N; i++)
        h[i] = i;
    k<<<2, T>>>(h, N, R);
    return check(h, N * R, [&](int at) {
        unsigned v = at % N;
        for (int j = 1; j <= at / N; j++)
            v = v * 5 + j;
        return (int)v;
    });
}
