// the else belongs to the nearest if, and barriers stand in bodies without braces
#include "conformance.h"

__global__ void k(int *out, int a, int b)
{
    int v = threadIdx.x;
    if (a)
        if (b)
            __syncthreads();
        else
            v += 100;
    if (a) {
        if (b)
            __syncthreads();
    } else
        v += 1000;
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(4 * T);
    for (int i = 0; i < 4; i++)
        k<<<1, T>>>(out + i * T, i & 1, i >> 1);
    return check(out, 4 * T, [](int i) { return i % T + (i / T == 1 ? 100 : 0) + (i / T % 2 == 0 ? 1000 : 0); });
}
