// results through pointer and reference parameters, and through a struct of pointers
#include "conformance.h"

struct Results {
    int *quotient, *remainder;
};
__device__ void divide(int a, int b, int *q, int &r) { *q = a / b, r = a % b; }
__device__ void divide(int a, int b, Results to) { divide(a, b, to.quotient, *to.remainder); }
__global__ void k(int *out)
{
    int q = 0, r = 0, q2 = 0, r2 = 0;
    divide(threadIdx.x, 7, &q, r);
    __syncthreads();
    divide(threadIdx.x + 100, 7, {&q2, &r2});
    __syncthreads();
    out[threadIdx.x] = q * 1000 + r * 100 + q2 - r2;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t / 7 * 1000 + t % 7 * 100 + (t + 100) / 7 - (t + 100) % 7; });
}
