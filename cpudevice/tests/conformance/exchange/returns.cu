// three returns one behind the other, with declarations between them
#include "conformance.h"

__global__ void k(int *out, const int *in, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int last = n - 3;
    if (i >= last) {
        return;
    }
    int odd = i & 1, sum = 0;
    if (odd)
        return;
    for (int j = 0; j < rounds; j++)
        sum = sum * 3 + in[j * n + i];
    out[i] = sum + odd;
}
int main()
{
    enum { N = 150, R = 66 };
    int *out = managed(N), *in = managed(N * R);
    for (int i = 0; i < N * R; i++)
        in[i] = i % 17;
    for (int i = 0; i < N; i++)
        out[i] = 7;
    k<<<3, T>>>(out, in, N, R);
    return check(out, N, [&](int i) {
        unsigned sum = 0;
        for (int j = 0; j < R; j++)
            sum = sum * 3 + in[j * N + i];
        return i >= N - 3 || i & 1 ? 7 : (int)sum;
    });
}
