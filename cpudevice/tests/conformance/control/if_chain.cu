// barriers in the branches of an if-else chain that is the same for all threads
#include "conformance.h"

__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    int v;
    if (n < 1) {
        __syncthreads();
        v = s[0];
    } else if (n < 2)
        __syncthreads(), v = s[1];
    else if (blockDim.x > 10)
        for (v = 0; v < 3; v++)
            __syncthreads();
    else
        v = 1000;
    out[threadIdx.x] = v + threadIdx.x;
}
int main()
{
    int *out = managed(3 * T);
    for (int i = 0; i < 3; i++)
        k<<<1, T>>>(out + i * T, i);
    return check(out, 3 * T, [](int i) { return (i < T ? 0 : i < 2 * T ? 1 : 3) + i % T; });
}
