// a product of matrices whose edges are within blocks: the loop over k goes round the threads
#include "conformance.h"

__global__ void k(const int *a, const int *b, int *c, int m, int n, int kk)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        int sum = 0;
        for (int i = 0; i < kk; i++)
            sum += a[row * kk + i] * b[i * n + col];
        c[row * n + col] = sum;
    }
}
int main()
{
    enum { M = 37, N = 45, K = 70 };
    int *a = managed(M * K), *b = managed(K * N), *c = managed(M * N);
    for (int i = 0; i < M * K; i++)
        a[i] = i * 7 % 31 - 15;
    for (int i = 0; i < K * N; i++)
        b[i] = i * 11 % 29 - 14;
    k<<<dim3(3, 5), dim3(16, 8)>>>(a, b, c, M, N, K);
    return check(c, M * N, [&](int i) {
        int sum = 0;
        for (int j = 0; j < K; j++)
            sum += a[i / N * K + j] * b[j * N + i % N];
        return sum;
    });
}
