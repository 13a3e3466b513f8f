// names that are declared again in inner scopes, with barriers in each
#include "conformance.h"

__global__ void k(int *out)
{
    int v = threadIdx.x;
    __syncthreads();
    {
        int v = 100;
        __syncthreads();
        v += threadIdx.x;
        for (int v = 0; v < 2; v++) {
            __syncthreads();
            out[threadIdx.x + v * T] = v;
        }
        __syncthreads();
        out[threadIdx.x] += v;
    }
    __syncthreads();
    out[threadIdx.x] += v * 1000;
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out);
    return check(out, 2 * T, [](int i) { return i < T ? 100 + i + i * 1000 : 1; });
}
