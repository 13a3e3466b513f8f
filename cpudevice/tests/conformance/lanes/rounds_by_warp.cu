// loops whose rounds differ from warp to warp, one that is left by a warp, and one that all leave at the same time
#include "conformance.h"

__global__ void k(int *out, int n)
{
    int t = threadIdx.x, warp = t / 32, sum = 0;
    for (int row = warp; row < n; row += 2) {
        int x = row * 32 + t % 32;
        for (int offset = 16; offset; offset /= 2)
            x += __shfl_xor_sync(0xffffffff, x, offset);
        sum += x;
    }
    for (int offset = 16; offset > 0; offset >>= 1) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (offset == n % 8)
            break;
    }
    for (int i = 0; i < 10; i++) {
        if (i == 2 + warp)
            break;
        sum += __shfl_xor_sync(0xffffffff, t, 1);
    }
    out[t] = sum;
}
int main()
{
    enum { N = 20 };
    int *out = managed(T);
    k<<<1, T>>>(out, N);
    return check(out, T, [](int t) {
        int sum = 0, warp = t / 32, lane = t % 32, x[32], y[32];
        for (int row = warp; row < N; row += 2)
            for (int i = 0; i < 32; i++)
                sum += row * 32 + i;
        for (int i = 0; i < 32; i++)
            x[i] = sum;
        for (int offset = 16; offset >= 4; offset /= 2) {
            for (int i = 0; i < 32; i++)
                y[i] = x[i] + x[i + offset < 32 ? i + offset : i];
            for (int i = 0; i < 32; i++)
                x[i] = y[i];
        }
        return x[lane] + (2 + warp) * (t ^ 1);
    });
}
