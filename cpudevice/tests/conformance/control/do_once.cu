// a barrier in do { } while (0), with a break out of it that all threads take or none
#include "conformance.h"

__global__ void k(int *out, int flag)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    do {
        __syncthreads();
        if (flag)
            break;
        out[threadIdx.x] = s[T - 1 - threadIdx.x];
        return;
    } while (0);
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x + 1) % T] + 1000;
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out, 0);
    k<<<1, T>>>(out + T, 1);
    return check(out, 2 * T, [](int i) { return i < T ? T - 1 - i : (i + 1) % T + 1000; });
}
