// blocks go different ways, with different numbers of barriers
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    for (int i = 0; i < blockIdx.x; i++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[T - 1 - threadIdx.x] + 1;
        __syncthreads();
        if (blockIdx.x % 2 == 0) {
            s[threadIdx.x] = v;
            __syncthreads();
            v += s[0];
            __syncthreads();
        }
    }
    out[blockIdx.x * T + threadIdx.x] = v;
}
int main()
{
    int *out = managed(5 * T), want[5 * T];
    k<<<5, T>>>(out);
    for (int b = 0; b < 5; b++) {
        int v[T], w[T];
        for (int t = 0; t < T; t++)
            v[t] = t;
        for (int i = 0; i < b; i++) {
            for (int t = 0; t < T; t++)
                w[t] = v[T - 1 - t] + 1;
            for (int t = 0; t < T; t++)
                v[t] = w[t] + (b % 2 ? 0 : w[0]);
        }
        for (int t = 0; t < T; t++)
            want[b * T + t] = v[t];
    }
    return check(out, 5 * T, [&](int i) { return want[i]; });
}
