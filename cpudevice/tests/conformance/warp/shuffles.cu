// all four shuffles, with widths and several types
#include "conformance.h"

__global__ void k(double *out)
{
    int t = threadIdx.x;
    int a = __shfl_sync(~0u, t, 3), b = __shfl_up_sync(~0u, t, 2, 8), c = __shfl_down_sync(~0u, t, 1, 16);
    float d = __shfl_xor_sync(~0u, t * 0.5f, 5);
    double e = __shfl_sync(~0u, t * 0.25, t + 1, 4);
    long long f = __shfl_xor_sync(~0u, (long long)t << 33, 16);
    out[t] = a + b * 100 + c * 10000 + d + e + (double)(f >> 33) * 1000000;
}
int main()
{
    double *out = managed<double>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int lane = t % 32, first = t - lane;
        int b = lane % 8 < 2 ? t : t - 2, c = lane % 16 == 15 ? t : t + 1, e = t / 4 * 4 + (t + 1) % 4;
        return first + 3 + b * 100 + c * 10000 + (t ^ 5) * 0.5 + e * 0.25 + (t ^ 16) * 1000000.0;
    });
}
