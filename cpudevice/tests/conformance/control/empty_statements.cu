// empty statements, empty blocks, labels nobody jumps to and bodies without braces
#include "conformance.h"

__global__ void k(int *out)
{
    ;
    {
    }
    int v = threadIdx.x;
    if (v > 5)
        ;
    else
        v = 5;
    for (;;)
        if (v++ > 0)
            break;
    {
        {
            __syncthreads();
            ;
        }
    }
unused:
    for (int i = 0; i < 2; i++)
        if (blockDim.x > 2)
            __syncthreads();
        else
            ;
    while (v % 4)
        ++v;
    __syncthreads();
    out[threadIdx.x] = v;
    ;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int v = (t > 5 ? t : 5) + 1;
        return (v + 3) / 4 * 4;
    });
}
