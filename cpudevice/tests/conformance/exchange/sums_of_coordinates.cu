// int i = product + threadIdx.x, in all the ways to write it, and where it wraps
#include "conformance.h"

__global__ void k(int *out)
{
    int a = blockIdx.x * blockDim.x + threadIdx.x, b = threadIdx.x + blockDim.x * blockIdx.x, c = 7;
    const int d = (blockIdx.x * blockDim.x) + threadIdx.x;
    int e = blockIdx.x * 32 + threadIdx.x;
    int f = 4294967290 + threadIdx.x, g = 3000000000 * blockIdx.x + threadIdx.x;
    int h = gridDim.x * blockDim.x * 1048576 + threadIdx.x, i = threadIdx.x + 1 - c;
    const int j = blockIdx.x * blockDim.x + threadIdx.x * 2;
    int *o = out + 9 * a;
    o[0] = a, o[1] = b, o[2] = c, o[3] = d, o[4] = e, o[5] = f, o[6] = g, o[7] = h ^ i, o[8] = j;
}
int main()
{
    enum { B = 3 };
    int *out = managed(9 * B * T);
    k<<<B, T>>>(out);
    return check(out, 9 * B * T, [&](int at) {
        long long i = at / 9, block = i / T, t = i % T;
        long long want[9] = {i, i, 7, i, block * 32 + t, 4294967290 + t, 3000000000 * block + t,
                             (B * T * 1048576LL + t) ^ (t - 6), block * T + 2 * t};
        return (int)(unsigned)want[at % 9];
    });
}
