// host code is the host's: the same text in a function of the host and in one of the device, each with its own meaning
#include "conformance.h"

static int host_shift(int v, int n) { return v << (n & 31) >> 1; }
__device__ int device_shift(int v, int n) { return v << n; }
__host__ __device__ constexpr int both(int a, int b) { return (a + b - 1) / b << 1; }
__host__ __device__ int rounded(float f) { return (int)f; }
__global__ void k(int *out, const int *in)
{
    int n = in[threadIdx.x];
    out[threadIdx.x] = device_shift(3, n) + both(n, 7) + rounded(n * 1.5f);
}
static_assert(both(20, 6) == 8, "");
int main()
{
    int *out = managed(T), *in = managed(T), wide[both(9, 3)];
    for (int i = 0; i < T; i++)
        in[i] = i;
    k<<<1, T>>>(out, in);
    wide[0] = host_shift(2, 3) - 8 + (int)(sizeof wide / sizeof *wide) - 6;
    return check(out, T, [&](int t) { return (t < 32 ? (int)(3u << t) : 0) + (t + 6) / 7 * 2 + (int)(t * 1.5f) + wide[0]; });
}
