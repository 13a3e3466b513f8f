// whole blocks return before a barrier
#include "conformance.h"

__global__ void k(int *out, int last)
{
    __shared__ int s[T];
    if (blockIdx.x > last)
        return;
    s[threadIdx.x] = blockIdx.x;
    __syncthreads();
    if (blockIdx.x == 0) {
        out[threadIdx.x] = 7;
        return;
    }
    __syncthreads();
    out[blockIdx.x * T + threadIdx.x] = s[T - 1 - threadIdx.x] * 10;
}
int main()
{
    int *out = managed(4 * T);
    for (int i = 0; i < 4 * T; i++)
        out[i] = -1;
    k<<<4, T>>>(out, 2);
    return check(out, 4 * T, [](int i) { return i < T ? 7 : i / T > 2 ? -1 : i / T * 10; });
}
