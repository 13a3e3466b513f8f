// a function gives back a reference to its argument, which is then changed
#include "conformance.h"

__device__ int &larger(int &a, int &b) { return a > b ? a : b; }
__global__ void k(int *out)
{
    int a = threadIdx.x, b = 20;
    larger(a, b) = 0;
    __syncthreads();
    larger(a, b) += 100;
    __syncthreads();
    out[threadIdx.x] = a * 1000 + b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        if (t > 20)
            return 120; // a becomes 0, and then b (20) is the larger one
        return (t > 0 ? t + 100 : 100 * (t > 0)) * 1000 + (t > 0 ? 0 : 100);
    });
}
