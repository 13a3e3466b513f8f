// a local of constant value is changed through casts to references and pointers
#include "conformance.h"

__global__ void k(int *out)
{
    int a = 1, b = 2, c = 3;
    (unsigned &)a = threadIdx.x;
    __syncthreads();
    *(unsigned *)&b += threadIdx.x;
    static_cast<int &>(c) *= b;
    __syncthreads();
    reinterpret_cast<char *>(&a)[1] = 1;
    __syncthreads();
    out[threadIdx.x] = a * 10000 + b * 100 + c;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (256 + t) * 10000 + (2 + t) * 100 + 3 * (2 + t); });
}
