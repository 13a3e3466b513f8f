// attributes before and after the name
#include "conformance.h"

__global__ void k(int *out)
{
    [[maybe_unused]] int unused = 1;
    [[maybe_unused]] const int c = threadIdx.x * 2;
    int v [[maybe_unused]] = c;
    __attribute__((unused)) int w = 4, x __attribute__((unused)) = 5;
    __syncthreads();
    v += w;
    __syncthreads();
    out[threadIdx.x] = v + c * 100;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * t + 4 + 200 * t; });
}
