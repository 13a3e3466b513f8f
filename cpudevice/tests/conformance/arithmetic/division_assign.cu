// x /= y and x %= y of variables, elements, members and bit fields; the place is found once
#include "conformance.h"

struct Parts {
    int low : 9;
    unsigned high : 10;
    int whole;
};
__device__ int calls;
__device__ int *place(int *p)
{
    atomicAdd(&calls, 1);
    return p;
}
__global__ void k(int *out, const int *by)
{
    int y = by[threadIdx.x], at = 0;
    int a[2] = {-1000, 1000};
    unsigned char narrow = 200;
    Parts p = {-200, 900, -2147483647 - 1};
    a[at++] /= y;
    *place(&a[at]) %= y | 64;
    narrow /= y | 128;
    p.low /= y;
    p.high /= y | 256;
    p.whole /= y;
    float f = 10;
    f /= 4;
    out[threadIdx.x] = a[0] + 3 * a[1] + 5 * narrow + 7 * p.low + 11 * (int)p.high + p.whole % 1000 + at + (int)(4 * f);
}
int main()
{
    int *out = managed(T), *by = managed(T);
    for (int i = 0; i < T; i++)
        by[i] = i % 3 == 0 ? -1 : i % 3 == 1 ? i + 2 : -i - 2;
    k<<<1, T>>>(out, by);
    cudaDeviceSynchronize();
    int n = 0;
    cudaMemcpyFromSymbol(&n, calls, sizeof n);
    return check(out, T, [&](int t) {
        int y = by[t];
        int low = -200 / y, kept = (low & 511) >= 256 ? (low & 511) - 512 : low & 511;
        int whole = (int)(-2147483648ll / y == 2147483648ll ? -2147483648ll : -2147483648ll / y);
        unsigned char narrow = (unsigned char)(200 / (y | 128));
        return -1000 / y + 3 * (1000 % (y | 64)) + 5 * narrow + 7 * kept + 11 * ((900 / (y | 256)) & 1023) +
               whole % 1000 + 1 + 10 + 1000000 * (n - T);
    });
}
