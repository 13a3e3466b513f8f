// pointers and numbers that are parameters go on from round to round
#include "conformance.h"

__global__ void k(int *out, const int *in, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    in += i;
    int sum = 0;
    for (int j = 0; j < rounds; j++) {
        sum += *in;
        in += n;
    }
    rounds -= 60;
    for (; rounds > 0; rounds--)
        sum ^= in[-n * rounds];
    out[i] = sum;
}
int main()
{
    enum { N = 2 * T, R = 75 };
    int *out = managed(N), *in = managed(N * R);
    for (int i = 0; i < N * R; i++)
        in[i] = i * 13 % 101;
    k<<<2, T>>>(out, in, N, R);
    return check(out, N, [&](int i) {
        int sum = 0;
        for (int j = 0; j < R; j++)
            sum += (j * N + i) * 13 % 101;
        for (int r = R - 60; r > 0; r--)
            sum ^= ((R - r) * N + i) * 13 % 101;
        return sum;
    });
}
