// TEST: reading %laneid works
// RUN: $cucc -o $exe $case; $exe
#include <cstdio>
__global__ void k(unsigned *p)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    p[threadIdx.x] = lane;
}
int main() { unsigned *p; cudaMallocManaged(&p, 256); k<<<1, 64>>>(p); cudaDeviceSynchronize(); return p[37] != 5; }
