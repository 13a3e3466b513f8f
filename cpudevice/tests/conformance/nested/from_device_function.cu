// launches from device functions, templates and lambdas in kernels
#include "conformance.h"

template <int by> __global__ void add(int *out) { atomicAdd(&out[threadIdx.x], by); }
template <int by> __device__ void start(int *out) { add<by><<<1, T>>>(out); }
__device__ void both(int *out)
{
    start<1>(out);
    start<10>(out);
}
__global__ void parent(int *out)
{
    auto one = [=] { add<100><<<1, T>>>(out); };
    if (threadIdx.x == 0)
        both(out), one();
}
int main()
{
    int *out = managed(T);
    for (int t = 0; t < T; t++)
        out[t] = 0;
    parent<<<2, 32>>>(out);
    return check(out, T, [](int) { return 222; });
}
