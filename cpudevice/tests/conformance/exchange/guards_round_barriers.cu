// barriers behind guards that whole blocks pass or do not
#include "conformance.h"

__global__ void k(int *out, const int *in, int n, int rounds)
{
    __shared__ int s[T];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    if (i + (int)blockDim.x > t) {
        int sum = in[i], kept = sum * 3;
        for (int r = 0; r < rounds; r++) {
            s[t] = sum + r;
            __syncthreads();
            sum += s[t ? t - 1 : T - 1];
            __syncthreads();
        }
        out[i] = sum + kept;
    }
}
int main()
{
    enum { N = 2 * T, R = 3, B = 4 };
    int *out = managed(B * T), *in = managed(B * T), want[N], now[N];
    for (int i = 0; i < B * T; i++)
        in[i] = i * 7 % 23, out[i] = -9;
    k<<<B, T>>>(out, in, N, R);
    for (int i = 0; i < N; i++)
        want[i] = in[i];
    for (int r = 0; r < R; r++) {
        for (int i = 0; i < N; i++)
            now[i] = want[i] + want[i % T ? i - 1 : i + T - 1] + r;
        for (int i = 0; i < N; i++)
            want[i] = now[i];
    }
    return check(out, B * T, [&](int i) { return i >= N ? -9 : want[i] + in[i] * 3; });
}
