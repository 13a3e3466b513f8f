// a local of constant value is changed by a functor object that was made before
#include "conformance.h"

struct Set {
    int to;
    __device__ void operator()(int &v) const { v = to; }
};
__global__ void k(int *out)
{
    int v = 7;
    Set set{(int)threadIdx.x};
    __syncthreads();
    set(v);
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t; });
}
