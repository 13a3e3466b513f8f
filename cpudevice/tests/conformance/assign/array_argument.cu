// an array of a thread filled by a function, and by one that takes it by reference
#include "conformance.h"

__device__ void fill(int *a, int n, int v)
{
    for (int i = 0; i < n; i++)
        a[i] = v + i;
}
template <int N> __device__ void twice(int (&a)[N])
{
    for (int &e : a)
        e *= 2;
}
__global__ void k(int *out)
{
    int a[5];
    fill(a, 5, threadIdx.x);
    __syncthreads();
    twice(a);
    __syncthreads();
    int sum = 0;
    for (int e : a)
        sum += e;
    out[threadIdx.x] = sum;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * (5 * t + 10); });
}
