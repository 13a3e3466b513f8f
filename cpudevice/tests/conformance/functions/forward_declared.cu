// functions declared before, defined after the kernel, with other parameter names and a barrier
#include "conformance.h"

__device__ int later(int *, int value);
static __device__ __forceinline__ void also(int &);
__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = later(s, threadIdx.x);
    also(v);
    out[threadIdx.x] = v;
}
__device__ int later(int *memory, int v)
{
    memory[threadIdx.x] = v;
    __syncthreads();
    return memory[(threadIdx.x + 1) % T];
}
static __device__ void also(int &x) { x *= 3; }
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) % T * 3; });
}
