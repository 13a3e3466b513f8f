// a default argument reads threadIdx where the function is called
#include "conformance.h"

__device__ int twice(int v = threadIdx.x) { return 2 * v; }
__global__ void k(int *out) { out[threadIdx.x] = twice() + twice(1000); }
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * t + 2000; });
}
