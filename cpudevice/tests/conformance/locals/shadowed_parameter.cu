// a local of an inner scope hides a parameter, and a loop's counter hides the local
#include "conformance.h"

__global__ void k(int *out, int n)
{
    const int twice = n * 2 + threadIdx.x;
    __syncthreads();
    if (n > 0) {
        int n = 3;
        __syncthreads();
        n *= twice;
        __syncthreads();
        out[threadIdx.x] = n;
    }
    __syncthreads();
    out[threadIdx.x] += n * 10000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 5);
    return check(out, T, [](int t) { return 3 * (10 + t) + 50000; });
}
