// two loops, and one in another; what the first has made the second uses
#include "conformance.h"

__global__ void k(int *out, const int *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int largest = in[i];
    for (int j = 1; j < n; j++)
        largest = max(largest, in[j * 128 + i]);
    int sum = 0;
    for (int a = 0; a < m; a++) {
        int part = a;
        for (int b = 0; b < n; b++)
            part += largest - in[b * 128 + i];
        sum = sum * 2 + part;
    }
    out[i] = sum;
}
int main()
{
    enum { N = 70, M = 5 };
    int *out = managed(128), *in = managed(N * 128);
    for (int i = 0; i < N * 128; i++)
        in[i] = i * 17 % 53;
    k<<<2, T>>>(out, in, N, M);
    return check(out, 128, [&](int i) {
        int largest = 0, sum = 0;
        for (int j = 0; j < N; j++)
            largest = largest > in[j * 128 + i] ? largest : in[j * 128 + i];
        for (int a = 0; a < M; a++) {
            int part = a;
            for (int b = 0; b < N; b++)
                part += largest - in[b * 128 + i];
            sum = sum * 2 + part;
        }
        return sum;
    });
}
