// a loop over tiles that some blocks leave early, with state in registers
#include "conformance.h"

__global__ void k(int *out, const int *limits)
{
    __shared__ int s[T];
    int v = threadIdx.x, tile = 0;
    for (;; tile++) {
        if (tile >= limits[blockIdx.x])
            break;
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + tile) % T] + 1;
        __syncthreads();
    }
    out[blockIdx.x * T + threadIdx.x] = v + tile * 1000;
}
int main()
{
    int *out = managed(4 * T), *limits = managed(4);
    for (int i = 0; i < 4; i++)
        limits[i] = 3 - i;
    k<<<4, T>>>(out, limits);
    return check(out, 4 * T, [](int i) {
        int n = 3 - i / T, shift = n * (n - 1) / 2;
        return (i % T + shift) % T + n + n * 1000;
    });
}
