// an assignment is itself an lvalue in C++
#include "conformance.h"

__global__ void k(int *out)
{
    int a = 1, b = 2;
    (a = threadIdx.x) += 7;
    __syncthreads();
    (b += a) *= 2;
    (a, b) -= 1;
    __syncthreads();
    out[threadIdx.x] = a * 1000 + b;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 7) * 1000 + (2 + t + 7) * 2 - 1; });
}
