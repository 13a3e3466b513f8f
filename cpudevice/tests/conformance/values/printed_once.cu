// a function with a side effect on global memory in an initialiser runs once for each thread
#include "conformance.h"

__device__ int calls[T];
__device__ int count(int t) { return ++calls[t]; }
__global__ void k(int *out)
{
    const int a = count(threadIdx.x);
    int b = count(threadIdx.x), c = a + b;
    __syncthreads();
    out[threadIdx.x] = a + b * 10 + c * 100 + calls[threadIdx.x] * 10000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 1 + 20 + 300 + 20000; });
}
