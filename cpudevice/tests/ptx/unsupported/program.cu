// In a function that the program includes, inline PTX that the CPU device has not is reported where it is reached, and
// disturbs nobody else.
// BUILD: $cucc -o $exe $case
// TEST: a function that the program includes compiles
// RUN: [ -x $exe ]
// TEST: the kernel that does not reach it runs
// RUN: $exe
// MATCHES: ^cudaSuccess 7$
// TEST: the kernel that reaches it says where
// RUN: $exe reach
// MATCHES: library.h:3: the PTX instruction mma.never.b32 is not supported.*reached in kernel kernel
// TEST: and fails
// RUN: $exe reach
// MATCHES: ^cudaErrorNotSupported 0$
#include <cstdio>
#include "library.h"
__global__ void kernel(unsigned *x)
{
    if (x[1])
        Atom::go(x[2]);
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
