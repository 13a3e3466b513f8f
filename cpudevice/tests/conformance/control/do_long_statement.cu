// do without braces round one long statement, ended by while (0);
#include "conformance.h"

__global__ void k(int *out, int a, int b)
{
    int v = threadIdx.x;
    do
        v += (a + b * (a - b)) * ((a ^ b) | (a & b)) + (a << 1) - (b >> 1) + (a > b ? a : b) * (a < b ? a : b) +
             (a + (b + (a + (b + (a + b))))) + (v & 1 ? a * a : b * b) - (a % (b + 1)) + ((v ^ a) & (v | b));
    while (0);
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 5, 3);
    return check(out, T, [](int t) {
        int v = t + (5 + 3 * 2) * 7;
        v += 10 - 1 + 5 * 3;
        v += 3 * 5 + 3 * 3;
        v += t % 2 ? 25 : 9;
        v -= 5 % 4;
        v += (t ^ 5) & (t | 3);
        return v;
    });
}
