// if and switch with initialisers round barriers
#include "conformance.h"

__global__ void k(int *out, const int *in)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    int v = 0;
    if (int n = in[0]; n > 3) {
        __syncthreads();
        v = s[n];
    } else {
        v = -n;
    }
    switch (const int n = in[1]; n & 3) {
    case 1:
        __syncthreads();
        v += s[T - 1];
        break;
    default: v = 0;
    }
    out[threadIdx.x] = v + threadIdx.x;
}
int main()
{
    int *out = managed(T), *in = managed(2);
    in[0] = 9, in[1] = 5;
    k<<<1, T>>>(out, in);
    return check(out, T, [](int t) { return 9 + T - 1 + t; });
}
