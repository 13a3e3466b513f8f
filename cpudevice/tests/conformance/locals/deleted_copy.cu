// a class that can be neither copied nor moved
#include "conformance.h"

struct Unique {
    int v;
    __device__ explicit Unique(int v) : v(v) {}
    Unique(const Unique &) = delete;
    Unique &operator=(const Unique &) = delete;
};
__global__ void k(int *out)
{
    Unique u(threadIdx.x);
    __syncthreads();
    u.v += 3;
    __syncthreads();
    Unique w = Unique(u.v * 2);
    __syncthreads();
    out[threadIdx.x] = w.v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * (t + 3); });
}
