// In a kernel, or in the program's own file, it is refused when compiled.
// TEST: a kernel is refused
// RUN: $cucc -o $exe $case
// STATUS: 1
// SAYS: kernel.cu:{line asm volatile}: error: the PTX instruction mma.never.b32 is not supported
// TEST: a kernel of a file that is included is refused
// RUN: echo "#include \"$PWD/$case\"" >$work/includes.cu; $cucc -o $exe $work/includes.cu
// STATUS: 1
// SAYS: kernel.cu:{line asm volatile}: error: the PTX instruction mma.never.b32 is not supported
#include <cstdio>
#include "library.h"
__global__ void kernel(unsigned *x)
{
    if (x[1])
        asm volatile("mma.never.b32 %0, %0;" : "+r"(x[2]));
    x[0] = 7;
}
int main(int argc, char **)
{
    unsigned *x;
    cudaMallocManaged(&x, 16);
    x[1] = argc > 1;
    kernel<<<1, 1>>>(x);
    const cudaError_t e = cudaDeviceSynchronize();
    printf("%s %u\n", cudaGetErrorName(e), e ? 0 : x[0]);
}
