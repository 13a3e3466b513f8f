// A file with more constant memory, or a kernel with more parameters, than a GPU has room for is refused.
// TEST: 64 KB of constant memory and 32761 bytes of parameters
// RUN: $cucc -c -o $exe.o $case
// TEST: constant memory of 64 KB and 4 bytes
// RUN: $cucc -DCONSTANT=4 -c -o $exe.o $case
// STATUS: 1
// MATCHES: space.cu:{line int c[CONST}: error: .*File uses too much global constant data (0x10000 bytes max)
// TEST: 32769 bytes of parameters
// RUN: $cucc -DPARAMETER=1 -c -o $exe.o $case
// STATUS: 1
// MATCHES: space.cu:[0-9]*: error: .*Formal parameter space overflowed (max 32764 bytes allowed) in function k
// TEST: of an instance of a template
// RUN: $cucc -DINSTANCE=1 -c -o $exe.o $case
// STATUS: 1
// MATCHES: Formal parameter space overflowed (max 32764 bytes allowed) in function of
#ifndef CONSTANT
#define CONSTANT 0
#endif
#ifndef PARAMETER
#define PARAMETER 0
#endif
#ifndef INSTANCE
#define INSTANCE 0
#endif
__constant__ char a[0x8000];
namespace inner {
static __constant__ int b[0x1000];
}
__constant__ int c[CONSTANT / 4 + 0x1000];
template <int n> struct Large {
    char of[n];
};
__global__ void k(Large<32752 + PARAMETER> large, int *p, char x)
{
    p[0] = large.of[p[1]] + x + a[p[2]] + inner::b[p[3]] + c[p[4]];
}
template <int n> __global__ void of(Large<n> large, int *p) { p[0] = large.of[p[1]]; }
void launch(int *p) { of<<<1, 1>>>(Large<32752 + INSTANCE>(), p); }
