// an inner variable initialised from a pointer to the outer one of the same name
#include "conformance.h"

__global__ void k(int *out)
{
    int v = threadIdx.x, *outer = &v;
    __syncthreads();
    {
        int v = *outer + 1;
        __syncthreads();
        *outer = v * 2;
        v = 0;
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) * 2; });
}
