// a function with a barrier, called by a pointer that is the same for all threads
#include "conformance.h"

__device__ int up(int *s)
{
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    return s[(threadIdx.x + 1) % T];
}
__device__ int down(int *s)
{
    s[threadIdx.x] = threadIdx.x * 10;
    __syncthreads();
    return s[T - 1 - threadIdx.x];
}
typedef int (*Step)(int *);
__device__ Step steps[] = {up, down};
__global__ void k(int *out, int which)
{
    __shared__ int s[T];
    Step step = steps[which];
    int v = step(s);
    __syncthreads();
    v += (*steps[1 - which])(s)*1000;
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 1);
    return check(out, T, [](int t) { return (T - 1 - t) * 10 + (t + 1) % T * 1000; });
}
