// a structured binding by value leaves the array it copies alone
#include "conformance.h"

__global__ void k(int *out)
{
    int v[3] = {(int)threadIdx.x, 2, 3};
    auto [x, y, z] = v;
    x += 5;
    __syncthreads();
    y += x;
    __syncthreads();
    out[threadIdx.x] = v[0] * 10000 + v[1] * 1000 + y * 10 + z;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t * 10000 + 2000 + (2 + t + 5) * 10 + 3; });
}
