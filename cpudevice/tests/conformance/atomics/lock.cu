// a spin lock that one thread of each block takes
#include "conformance.h"

__device__ int locked = 0;
__device__ volatile int guarded = 0;
__global__ void k(int *out)
{
    __shared__ int mine;
    if (threadIdx.x == 0) {
        while (atomicCAS(&locked, 0, 1) != 0)
            ;
        __threadfence();
        mine = guarded;
        guarded = mine + 1;
        __threadfence();
        atomicExch(&locked, 0);
    }
    __syncthreads();
    if (threadIdx.x < 1)
        atomicAdd(&out[mine], 1);
}
int main()
{
    int *out = managed(20);
    for (int i = 0; i < 20; i++)
        out[i] = 0;
    k<<<20, 32>>>(out);
    return check(out, 20, [](int) { return 1; });
}
