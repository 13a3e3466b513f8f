// a function of the program is the guard
#include "conformance.h"

__device__ int inside(int i, int *seen)
{
    seen[i] = i;
    return i % 3;
}
__global__ void k(int *out, int *seen, const int *in, int n)
{
    int i = threadIdx.x;
    int which = inside(i, seen);
    if (!which)
        return;
    int sum = 0;
    for (int j = 0; j < n; j++)
        sum += in[j * T + i] * which;
    out[i] = sum;
}
int main()
{
    enum { N = 70 };
    int *out = managed(2 * T), *in = managed(N * T);
    for (int i = 0; i < N * T; i++)
        in[i] = i % 11;
    for (int i = 0; i < T; i++)
        out[i] = -5;
    k<<<1, T>>>(out, out + T, in, N);
    return check(out, 2 * T, [&](int i) {
        if (i >= T)
            return i - T;
        int sum = 0;
        for (int j = 0; j < N; j++)
            sum += (j * T + i) % 11 * (i % 3);
        return i % 3 ? sum : -5;
    });
}
