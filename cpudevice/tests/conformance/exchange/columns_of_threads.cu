// blocks of one thread in x, and of many rows
#include "conformance.h"

__global__ void k(int *out, const int *in, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n || (row & 3) == 1)
        return;
    int sum = col;
    for (int j = 0; j < n; j++)
        sum += in[row * n + j] - in[j * n + col];
    out[row * n + col] = sum;
}
int main()
{
    enum { N = 75 };
    int *out = managed(N * N), *in = managed(N * N);
    for (int i = 0; i < N * N; i++)
        in[i] = i * 3 % 43, out[i] = 12345;
    k<<<dim3(N, 2), dim3(1, T)>>>(out, in, N);
    return check(out, N * N, [&](int at) {
        int sum = at % N;
        for (int j = 0; j < N; j++)
            sum += in[at / N * N + j] - in[j * N + at % N];
        return at / N % 4 == 1 ? 12345 : sum;
    });
}
