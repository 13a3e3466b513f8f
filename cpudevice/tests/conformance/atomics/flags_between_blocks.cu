// a block waits for the flag of the block before it
#include "conformance.h"

__global__ void k(int *out, int *flags, volatile int *values)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, before = 0;
        if (b > 0) {
            while (atomicAdd(&flags[b - 1], 0) == 0)
                ;
            __threadfence();
            before = values[b - 1];
        }
        values[b] = before + b;
        __threadfence();
        atomicExch(&flags[b], 1);
        out[b] = before + b;
    }
}
int main()
{
    int *out = managed(12), *flags = managed(12), *values = managed(12);
    for (int i = 0; i < 12; i++)
        flags[i] = 0;
    k<<<12, 32>>>(out, flags, values);
    return check(out, 12, [](int b) { return b * (b + 1) / 2; });
}
