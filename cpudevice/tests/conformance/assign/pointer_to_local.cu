// a local changed through a pointer that lives across the barrier
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = threadIdx.x, *p = &v;
    s[threadIdx.x] = v;
    __syncthreads();
    *p += s[T - 1 - threadIdx.x];
    __syncthreads();
    int **pp = &p;
    **pp *= 2;
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 2 * (T - 1); });
}
