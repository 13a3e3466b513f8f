// one declaration of a value, a pointer, an array, a reference and a pointer to an array
#include "conformance.h"

__global__ void k(int *out)
{
    int a = threadIdx.x, *p = &a, b[3] = {1, 2, 3}, &r = b[1], (*q)[3] = &b;
    __syncthreads();
    *p += 1;
    r += 10;
    (*q)[2] = a;
    __syncthreads();
    out[threadIdx.x] = a * 10000 + b[1] * 100 + b[2];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) * 10000 + 1200 + t + 1; });
}
