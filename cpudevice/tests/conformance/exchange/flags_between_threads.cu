// a loop that counts in volatile memory
#include "conformance.h"

__global__ void k(volatile int *turns, int *out, int n)
{
    int i = threadIdx.x;
    for (int j = 0; j < n; j++)
        turns[i] = turns[i] + j;
    out[i] = turns[i];
}
int main()
{
    int *turns = managed(T), *out = managed(T);
    for (int i = 0; i < T; i++)
        turns[i] = i;
    k<<<1, T>>>(turns, out, 100);
    return check(out, T, [&](int i) { return i + 4950; });
}
