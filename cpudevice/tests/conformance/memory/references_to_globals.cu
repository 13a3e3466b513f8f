// references and pointers to __device__ variables, passed on and bound across a barrier
#include "conformance.h"

__device__ int values[T], sum;
__device__ int &element(int i) { return values[i]; }
__device__ void bump(int &v, int by) { v += by; }
__global__ void k(int *out)
{
    int &mine = element(threadIdx.x);
    mine = threadIdx.x;
    int *next = &values[(threadIdx.x + 1) % T];
    __syncthreads();
    int seen = *next;
    __syncthreads();
    bump(mine, 100);
    atomicAdd(&sum, seen);
    __syncthreads();
    out[threadIdx.x] = *next + sum * 1000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) % T + 100 + 2016 * 1000; });
}
