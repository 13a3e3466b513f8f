// locals of constant value are changed through a structured binding of a struct of references
#include "conformance.h"

struct Refs {
    int &a;
    int &b;
};
__global__ void k(int *out)
{
    int a = 1, b = 2;
    auto [x, y] = Refs{a, b};
    x = threadIdx.x;
    __syncthreads();
    y += x;
    __syncthreads();
    out[threadIdx.x] = a * 100 + b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t * 100 + t + 2; });
}
