// The driver: main.cu and part.cu are compiled apart, with nvcc's options, and linked with a C file.
// TEST: separate compilation, nvcc's options, a C file
// RUN: cd $work; $cucc $flags '-DTEXT="a b"' -dc -o main.o $here/main.cu; $cucc $flags -dc $here/part.cu -o part.o
// RUN: $cucc -o both main.o part.o $here/c.c -lcudart -lm; ./both; $cucc -c -o from_c.o $here/c.c
// TEST: linked by the C++ compiler with -lcudart
// RUN: $cxx -o $work/linked $work/main.o $work/part.o $work/from_c.o -Lbuild/cpu -lcudart -lpthread -ldl -lm; $work/linked
// TEST: the objects of several files in a folder of their own
// RUN: mkdir $work/objects; $cucc $flags '-DTEXT="a b"' -odir $work/objects -dc $case $folder/part.cu
// RUN: $cucc -o $work/apart $work/objects/main.o $work/objects/part.o $folder/c.c; $work/apart
// TEST: dependencies
// RUN: $cucc $flags '-DTEXT="a b"' -MD -MF $work/main.d -MT main.o -c -o $work/main.o $case; cat $work/main.d
// SAYS: main.o:
// SAYS: part.h
// TEST: -x cu
// RUN: cp $case $work/odd.txt; $cucc -x cu $flags '-DTEXT="a b"' -c -o $work/odd.o $work/odd.txt
// TEST: --version
// RUN: $cucc --version
// SAYS: release 13
// TEST: --help
// RUN: $cucc --help
// SAYS: --check
// TEST: an unknown option fails
// RUN: $cucc --no-such-option $case
// STATUS: 1
// TEST: an unknown option is named
// RUN: $cucc --no-such-option $case
// STATUS: 1
// SAYS: no-such-option
// TEST: a missing file fails
// RUN: $cucc -c $work/missing.cu
// STATUS: 1
// TEST: -ptx of what does not compile fails
// RUN: $cucc -ptx -o $work/main.ptx $case
// STATUS: 1
// TEST: two that build the runtime at the same time, with nothing built yet
// RUN: two_builders
#include "part.h"
#include <cstdio>
__global__ void k(float *p) { p[threadIdx.x] = twice(p[threadIdx.x]) + VALUE; }
extern "C" int from_c(void);
int main()
{
    float *p;
    cudaMallocManaged(&p, 64);
    p[3] = 20;
    k<<<1, 16>>>(p);
    cudaDeviceSynchronize();
    return p[3] == 42 && from_c() == 7 && TEXT[0] == 'a' ? 0 : 1;
}
