// a local of constant value is changed by a closure that holds a reference to it
#include "conformance.h"

__global__ void k(int *out)
{
    int v = 7, w = 1;
    auto set = [&](int x) { v = x; };
    auto all = [&v, &w] { w += v; };
    __syncthreads();
    set(threadIdx.x);
    __syncthreads();
    all();
    __syncthreads();
    out[threadIdx.x] = v * 100 + w;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t * 100 + t + 1; });
}
