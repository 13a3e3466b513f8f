// shared arrays keep the alignment that they ask for, in each way to ask
#include "conformance.h"

__global__ void k(unsigned *out)
{
    __shared__ char odd;
    __shared__ __align__(1024) short tile[512];
    __shared__ alignas(256) int few[3], more;
    __shared__ double __attribute__((aligned(512))) x[2];
    if (threadIdx.x == 0) {
        odd = 0;
        few[0] = more = 0;
        x[0] = 0;
    }
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned long places[] = {(unsigned long)tile % 1024, (unsigned long)few % 256, (unsigned long)x % 512,
                              (unsigned long)&more % 256};
    out[threadIdx.x] = places[threadIdx.x % 4] + odd + few[0] + more + x[0] + tile[threadIdx.x];
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t; });
}
