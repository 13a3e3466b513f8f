// a struct, an alias and a typedef that are declared in the kernel
#include "conformance.h"

__global__ void k(int *out)
{
    struct Local {
        int v;
        __device__ int next() { return ++v; }
    };
    using Pair = Local[2];
    typedef int Number;
    Pair pair = {{(int)threadIdx.x}, {100}};
    Number n = pair[0].next();
    __syncthreads();
    n += pair[1].next() + pair[1].next();
    __syncthreads();
    out[threadIdx.x] = n + pair[0].v * 1000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 1 + 101 + 102 + (t + 1) * 1000; });
}
