// what stands before the guard, or in it, writes to memory
#include "conformance.h"

__global__ void before(int *out, int *visits, const int *in, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = visits[i]++;
    if (i >= n)
        return;
    int sum = v;
    for (int j = 0; j < rounds; j++)
        sum += in[j * n + i];
    out[i] = sum;
}
__global__ void within(int *out, int *visits, const int *in, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (++visits[i] > 6 || i >= n)
        return;
    int sum = 0;
    for (int j = 0; j < rounds; j++)
        sum += in[j * n + i];
    out[i] += sum;
}
int main()
{
    enum { N = 100, R = 70, ALL = 128 };
    int *out = managed(N + ALL), *visits = out + N, *in = managed(N * R);
    for (int i = 0; i < N * R; i++)
        in[i] = i % 9;
    for (int i = 0; i < ALL; i++)
        visits[i] = i % 7;
    before<<<2, T>>>(out, visits, in, N, R);
    within<<<2, T>>>(out, visits, in, N, R);
    return check(out, N + ALL, [&](int i) {
        if (i >= N)
            return (i - N) % 7 + 2;
        int sum = 0;
        for (int j = 0; j < R; j++)
            sum += (j * N + i) % 9;
        return i % 7 + sum + (i % 7 + 2 > 6 ? 0 : sum);
    });
}
