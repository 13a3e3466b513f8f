// default arguments that are expressions of other functions and of globals
#include "conformance.h"

__device__ int global = 3;
__device__ int three() { return global; }
__device__ int sum(int a, int b = three() * 10, int c = sizeof(long)) { return a + b + c; }
__global__ void k(int *out)
{
    int v = sum(threadIdx.x) + sum(1, 2) + sum(1, 2, 3);
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 30 + 8 + 3 + 8 + 6; });
}
