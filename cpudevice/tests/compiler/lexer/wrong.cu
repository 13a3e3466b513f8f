// TEST: a wrong program does not compile
// RUN: $cucc -c -o $work/wrong.o $case
// STATUS: 1
// TEST: a message in a kernel has its line
// RUN: $cucc -c -o $work/wrong.o $case
// STATUS: 1
// MATCHES: wrong.cu:{line p[threadIdx.x] = undeclared}:.*undeclared
// TEST: a message after a launch over two lines has its line
// RUN: $cucc -c -o $work/wrong.o $case
// STATUS: 1
// MATCHES: wrong.cu:{line also_undeclared}:.*also_undeclared
#include <cstdio>
__global__ void k(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = undeclared + s[0];
}
int main()
{
    k<<<1,
        32>>>(nullptr);
    also_undeclared();
}
