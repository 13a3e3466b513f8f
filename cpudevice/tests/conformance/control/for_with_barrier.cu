// barriers in a counted loop, with a tree reduction
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    for (unsigned n = blockDim.x / 2; n; n >>= 1) {
        if (threadIdx.x < n)
            s[threadIdx.x] += s[threadIdx.x + n];
        __syncthreads();
    }
    out[threadIdx.x] = s[0] + threadIdx.x;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int sum = 0;
    for (int i = 0; i < T; i++)
        sum += i * i;
    return check(out, T, [=](int t) { return sum + t; });
}
