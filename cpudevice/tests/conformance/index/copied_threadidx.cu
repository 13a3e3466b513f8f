// threadIdx copied, referred to, passed by value and by reference
#include "conformance.h"

__device__ int first(uint3 t) { return t.x; }
__device__ int second(const uint3 &t) { return t.y * 100; }
__global__ void k(int *out)
{
    const uint3 t = threadIdx;
    const auto &r = threadIdx;
    dim3 d = blockDim;
    int v = first(threadIdx) + second(r);
    __syncthreads();
    out[t.y * d.x + r.x] = v + first(t) * 10000 + second(t);
}
int main()
{
    int *out = managed(60);
    k<<<1, dim3(10, 6)>>>(out);
    return check(out, 60, [](int i) { return i % 10 * 10001 + i / 10 * 200; });
}
