// barriers in the cases of a switch on a kernel's parameter, with fallthrough
#include "conformance.h"

__global__ void k(int *out, int which)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    s[threadIdx.x] = v;
    switch (which) {
    case 0:
        __syncthreads();
        v = s[0] + 1;
        break;
    case 1:
        __syncthreads();
        v = s[T - 1];
        __syncthreads();
        s[threadIdx.x] = 5;
        [[fallthrough]];
    case 2:
        __syncthreads();
        v += s[(threadIdx.x + 1) % T];
        break;
    default: v = -1;
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(4 * T);
    for (int i = 0; i < 4; i++)
        k<<<1, T>>>(out + i * T, i);
    return check(out, 4 * T, [](int i) {
        int t = i % T;
        switch (i / T) {
        case 0: return 1;
        case 1: return T - 1 + 5;
        case 2: return t + (t + 1) % T;
        default: return -1;
        }
    });
}
