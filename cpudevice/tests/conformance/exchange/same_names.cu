// names of the guard are declared anew in the loop and behind it
#include "conformance.h"

__global__ void k(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int m = n / 2;
    if (i < m) {
        int j = i, sum = 0;
        for (int i = 0; i < n; i++) {
            int m = i % 4;
            sum += in[i * m + j] * m;
        }
        {
            int i = j + 1;
            sum += i;
        }
        out[i] = sum + m;
    }
}
int main()
{
    enum { N = 200 };
    int *out = managed(2 * T), *in = managed(N * 4 + N);
    for (int i = 0; i < N * 5; i++)
        in[i] = i % 19;
    for (int i = 0; i < 2 * T; i++)
        out[i] = 1;
    k<<<2, T>>>(out, in, N);
    return check(out, 2 * T, [&](int i) {
        int sum = 0;
        for (int a = 0; a < N; a++)
            sum += (a * (a % 4) + i) % 19 * (a % 4);
        return i < N / 2 ? sum + i + 1 + N / 2 : 1;
    });
}
