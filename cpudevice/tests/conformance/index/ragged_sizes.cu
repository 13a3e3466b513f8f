// blocks of one thread, of a prime number and of 1023, each with a barrier
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[1024];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int v = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    const int sizes[] = {1, 2, 31, 32, 33, 97, 1023, 1024};
    int *out = managed(8 * 1024);
    for (int i = 0; i < 8 * 1024; i++)
        out[i] = -1;
    for (int i = 0; i < 8; i++)
        k<<<1, sizes[i]>>>(out + i * 1024);
    return check(out, 8 * 1024, [&](int i) {
        int n = sizes[i / 1024];
        return i % 1024 < n ? n - 1 - i % 1024 : -1;
    });
}
