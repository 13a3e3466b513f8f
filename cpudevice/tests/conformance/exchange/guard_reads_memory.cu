// the guard is in memory that the kernel changes
#include "conformance.h"

__global__ void k(int *out, int *mask, int n)
{
    int i = threadIdx.x;
    if (mask[i] > 2)
        return;
    for (int j = 0; j < n; j++)
        mask[i] += j & 1;
    out[i] = mask[i];
}
int main()
{
    int *out = managed(T), *mask = managed(T);
    for (int i = 0; i < T; i++)
        mask[i] = i % 5, out[i] = 0;
    k<<<1, T>>>(out, mask, 80);
    return check(out, T, [&](int i) { return i % 5 > 2 ? 0 : i % 5 + 40; });
}
