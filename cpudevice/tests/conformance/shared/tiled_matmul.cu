// the tiled matrix product, ragged in all three sizes
#include "conformance.h"

enum { W = 8 };
__global__ void k(int *c, const int *a, const int *b, int m, int n, int p)
{
    __shared__ int as[W][W], bs[W][W];
    int row = blockIdx.y * W + threadIdx.y, col = blockIdx.x * W + threadIdx.x, sum = 0;
    for (int t = 0; t < p; t += W) {
        as[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < p ? a[row * p + t + threadIdx.x] : 0;
        bs[threadIdx.y][threadIdx.x] = t + threadIdx.y < p && col < n ? b[(t + threadIdx.y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < W; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
int main()
{
    const int m = 13, n = 19, p = 21;
    int *c = managed(m * n), *a = managed(m * p), *b = managed(p * n);
    for (int i = 0; i < m * p; i++)
        a[i] = i * 7 % 11 - 5;
    for (int i = 0; i < p * n; i++)
        b[i] = i * 5 % 13 - 6;
    k<<<dim3((n + W - 1) / W, (m + W - 1) / W), dim3(W, W)>>>(c, a, b, m, n, p);
    return check(c, m * n, [=](int i) {
        int sum = 0;
        for (int j = 0; j < p; j++)
            sum += ((i / n * p + j) * 7 % 11 - 5) * ((j * n + i % n) * 5 % 13 - 6);
        return sum;
    });
}
