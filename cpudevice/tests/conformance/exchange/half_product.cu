// a product of matrices in half, rounded after each operation (_rn: not contracted to one fma), by functions: the loop over k
// goes round the threads
#include <cmath>
#include <cuda_fp16.h>
#include "conformance.h"

__global__ void k(const __half *a, const __half *b, float *c, int m, int n, int kk)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        __half sum = __float2half(0.0f);
        for (int i = 0; i < kk; i++) {
            __half product = __hmul_rn(a[row * kk + i], b[i * n + col]);
            sum = __hadd_rn(product, sum);
        }
        c[row * n + col] = __half2float(sum);
    }
}
// x with eleven bits, to nearest even
static double rounded(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(x, 11 - exponent)), exponent - 11);
}
int main()
{
    enum { M = 37, N = 45, K = 70 };
    static double x[M * K], y[K * N];
    __half *a = managed<__half>(M * K), *b = managed<__half>(K * N);
    float *c = managed<float>(M * N);
    for (int i = 0; i < M * K; i++)
        a[i] = __float2half((float)(x[i] = rounded((i * 7 % 31 - 15) / 7.0)));
    for (int i = 0; i < K * N; i++)
        b[i] = __float2half((float)(y[i] = rounded((i * 11 % 29 - 14) / 13.0)));
    k<<<dim3(3, 5), dim3(16, 8)>>>(a, b, c, M, N, K);
    return check(c, M * N, [&](int i) {
        double sum = 0;
        for (int j = 0; j < K; j++)
            sum = rounded(sum + rounded(x[i / N * K + j] * y[j * N + i % N]));
        return sum;
    });
}
