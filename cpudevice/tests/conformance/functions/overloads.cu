// overloads by type, by number and by constness; only one of them has a barrier
#include "conformance.h"

__device__ int get(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[T - 1 - threadIdx.x];
}
__device__ int get(const int *s, float v) { return s[0] + (int)v; }
__device__ int get(int *) { return 5; }
__device__ int get(char) { return 7; }
__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = get(s, (int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = v + get(s) * 100 + get('c') * 1000 + get((const int *)s, 1.5f) * 10000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return T - 1 - t + 500 + 7000 + 10000; });
}
