// arrays as operands of inline PTX are addresses: of shared, global and local memory, also of as many bytes as a pointer
#include "conformance.h"

__device__ int table[3] = {7, 8, 9};
__global__ void k(int *out)
{
    __shared__ int s[2];
    __shared__ volatile int rows[T][4];
    int own[2] = {(int)threadIdx.x, 5}, a, b, c, d;
    if (threadIdx.x < 2)
        s[threadIdx.x] = 40 + threadIdx.x;
    rows[threadIdx.x][2] = 3 * threadIdx.x;
    __syncthreads();
    asm volatile("ld.s32 %0, [%1+4];" : "=r"(a) : "l"(s) : "memory");
    asm volatile("ld.s32 %0, [%1];" : "=r"(b) : "l"(own) : "memory");
    asm volatile("ld.s32 %0, [%1+8];" : "=r"(c) : "l"(table) : "memory");
    asm volatile("ld.s32 %0, [%1+8];" : "=r"(d) : "l"(rows[T - 1 - threadIdx.x]) : "memory");
    out[threadIdx.x] = a * 1000000 + b * 10000 + c * 1000 + d;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 41 * 1000000 + t * 10000 + 9 * 1000 + 3 * (T - 1 - t); });
}
