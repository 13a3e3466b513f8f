// a struct that came by value is changed, in a member of a member
#include "conformance.h"

struct Inner {
    int v[2];
};
struct Outer {
    Inner inner;
    int *out;
};
__global__ void k(Outer o)
{
    o.inner.v[threadIdx.x & 1] += threadIdx.x;
    __syncthreads();
    o.out += threadIdx.x;
    __syncthreads();
    *o.out = o.inner.v[0] * 1000 + o.inner.v[1];
}
int main()
{
    int *out = managed(T);
    Outer o = {{{3, 4}}, out};
    k<<<1, T>>>(o);
    return check(out, T, [](int t) { return t % 2 ? 3000 + 4 + t : (3 + t) * 1000 + 4; });
}
