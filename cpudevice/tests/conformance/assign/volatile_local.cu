// volatile locals of a thread
#include "conformance.h"

__global__ void k(int *out)
{
    volatile int v = threadIdx.x;
    volatile int a[2] = {1, 2};
    __syncthreads();
    v = v + a[0];
    a[1] = a[1] + v;
    __syncthreads();
    out[threadIdx.x] = v * 1000 + a[1];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) * 1000 + t + 3; });
}
