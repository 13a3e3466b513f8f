// a member template changes the object it is called on
#include "conformance.h"

struct Accumulator {
    int total;
    template <class V> __device__ void add(V v) { total += (int)v; }
};
__global__ void k(int *out, Accumulator a)
{
    a.add(threadIdx.x);
    __syncthreads();
    a.template add<float>(2.9f);
    __syncthreads();
    out[threadIdx.x] = a.total;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, Accumulator{100});
    return check(out, T, [](int t) { return 102 + t; });
}
