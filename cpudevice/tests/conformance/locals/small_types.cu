// bool, char, short and long long wrap round as their types do
#include "conformance.h"

__global__ void k(int *out)
{
    unsigned char c = threadIdx.x * 5;
    signed char sc = threadIdx.x - 100;
    unsigned short us = 65530;
    bool b = threadIdx.x & 4;
    long long ll = 1LL << 40;
    c += 100;
    us += threadIdx.x;
    __syncthreads();
    sc -= 50;
    ll += b;
    b = c;
    __syncthreads();
    out[threadIdx.x] = c + us * 3 + sc * 7 + b * 11 + (int)(ll - (1LL << 40)) * 13;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int c = (5 * t + 100) % 256, us = (65530 + t) % 65536, sc = t - 150;
        if (sc < -128)
            sc += 256;
        return c + us * 3 + sc * 7 + (c != 0) * 11 + (t / 4 % 2) * 13;
    });
}
