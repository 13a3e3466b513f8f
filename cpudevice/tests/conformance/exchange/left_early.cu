// a break and a continue that not all threads come to
#include "conformance.h"

__global__ void k(int *out, const int *in, int n)
{
    int i = threadIdx.x, sum = 0;
    for (int j = 0; j < n; j++) {
        if (in[j * T + i] == 3)
            continue;
        if (sum > 100)
            break;
        sum += in[j * T + i];
    }
    out[i] = sum;
}
int main()
{
    enum { N = 90 };
    int *out = managed(T), *in = managed(N * T);
    for (int i = 0; i < N * T; i++)
        in[i] = i * 7 % 10 - i % 3;
    k<<<1, T>>>(out, in, N);
    return check(out, T, [&](int i) {
        int sum = 0;
        for (int j = 0; j < N; j++) {
            int v = (j * T + i) * 7 % 10 - (j * T + i) % 3;
            if (v == 3)
                continue;
            if (sum > 100)
                break;
            sum += v;
        }
        return sum;
    });
}
