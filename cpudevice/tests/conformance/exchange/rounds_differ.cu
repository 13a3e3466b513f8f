// how often the loop goes round depends on the thread
#include "conformance.h"

__global__ void rows(int *out, const int *first, const int *value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int j = first[i]; j < first[i + 1]; j++)
        sum += value[j];
    out[i] = sum;
}
__global__ void triangle(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int j = 0; j <= i; j++)
        sum += in[j * n + i];
    out[n + i] = sum;
}
int main()
{
    enum { N = 2 * T };
    int *out = managed(2 * N), *first = managed(N + 1), *value = managed(N * N);
    for (int i = 0; i <= N; i++)
        first[i] = i * (i + 1) / 2 % (N * N);
    for (int i = 0; i < N * N; i++)
        value[i] = i % 10;
    rows<<<2, T>>>(out, first, value);
    triangle<<<2, T>>>(out, value, N);
    return check(out, 2 * N, [&](int i) {
        int sum = 0;
        if (i < N)
            for (int j = i * (i + 1) / 2; j < (i + 1) * (i + 2) / 2; j++)
                sum += j % 10;
        for (int j = 0; i >= N && j <= i - N; j++)
            sum += (j * N + i - N) % 10;
        return sum;
    });
}
