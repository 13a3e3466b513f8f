// a functor in shared and in constant memory asks for threadIdx
#include "conformance.h"

struct Scale {
    int by;
    __device__ int operator()() const { return by * (int)threadIdx.x; }
};
__constant__ Scale fixed = {3};
__global__ void k(int *out)
{
    __shared__ Scale scale;
    if (threadIdx.x == 5)
        scale.by = 100;
    __syncthreads();
    out[threadIdx.x] = scale() + fixed();
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 103 * t; });
}
