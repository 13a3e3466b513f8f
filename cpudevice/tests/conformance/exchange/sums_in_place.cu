// an element of memory is the sum
#include "conformance.h"

typedef float Real;
__global__ void k(const Real *a, const Real *x, Real *y, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        int i;
        for (i = 0; i < n; i++)
            y[j] += a[i * n + j] * x[i];
    }
}
int main()
{
    enum { N = 130 };
    Real *a = managed<Real>(N * N), *x = managed<Real>(N), *y = managed<Real>(N);
    for (int i = 0; i < N * N; i++)
        a[i] = i % 8;
    for (int i = 0; i < N; i++)
        x[i] = i % 5, y[i] = i;
    k<<<3, T>>>(a, x, y, N);
    return check(y, N, [&](int j) {
        double sum = j;
        for (int i = 0; i < N; i++)
            sum += (i * N + j) % 8 * (i % 5);
        return sum;
    });
}
