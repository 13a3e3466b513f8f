// variables on the device whose declarators have parentheses: pointers to arrays and to functions, arrays of those
#include "conformance.h"

__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__device__ int table[3][4];
__device__ int (*row)[4];
__device__ int(plain)[3];
__device__ int (*function)(int);
__device__ int (*functions[2])(int) = {twice, square};
__device__ int *const (*pointers)[2];
__device__ int number = 5, *to_number = &number;
__constant__ int (*chosen)(int) = square;
__device__ int (&reference)[4] = table[2];

__global__ void k(int *out)
{
    int t = threadIdx.x;
    if (!t) {
        row = &table[1];
        (*row)[2] = 7;
        plain[1] = 9;
        function = twice;
        reference[3] = 11;
    }
    __syncthreads();
    out[t] = table[1][2] + (*row)[2] + plain[1] + function(t) + functions[t % 2](t) + chosen(3) + *to_number + reference[3];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 7 + 7 + 9 + 2 * t + (t % 2 ? t * t : 2 * t) + 9 + 5 + 11; });
}
