// a variable in an inner block has the name of a file's constant
#include "conformance.h"
static const int width = 1000;
__global__ void k(int *out)
{
    __shared__ int s[T];
    const int key = threadIdx.x + width;
    s[threadIdx.x] = key;
    __syncthreads();
    {
        const int width = 3;
        s[threadIdx.x] += width;
        __syncthreads();
        out[threadIdx.x] = s[T - 1 - threadIdx.x] * 10000 + key;
    }
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (T - 1 - t + 1003) * 10000 + t + 1000; });
}
