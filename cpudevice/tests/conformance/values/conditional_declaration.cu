// variables that live in one branch only, beside one that lives across both
#include "conformance.h"

__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    int keep = threadIdx.x * 2;
    if (n & 1) {
        int here = keep + 1;
        s[threadIdx.x] = here;
        __syncthreads();
        keep = here + s[T - 1 - threadIdx.x];
    } else {
        int here = keep - 1;
        __syncthreads();
        keep = here;
    }
    __syncthreads();
    out[threadIdx.x] = keep;
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out, 1);
    k<<<1, T>>>(out + T, 2);
    return check(out, 2 * T, [](int i) { return i < T ? 2 * T : 2 * (i % T) - 1; });
}
