// a __host__ __device__ lambda is called on both sides
#include "conformance.h"

template <class F> __global__ void k(F f, int *out) { out[threadIdx.x] = f(threadIdx.x); }
int main()
{
    int *out = managed(T), base = 3;
    auto f = [base] __host__ __device__(int i) { return i * i + base; };
    k<<<1, T>>>(f, out);
    int here = f(10);
    return check(out, T, [=](int t) { return t * t + here - 100; });
}
