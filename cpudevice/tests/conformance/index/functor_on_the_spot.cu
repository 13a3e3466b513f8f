// a functor made by braces in an expression reads threadIdx
#include "conformance.h"

struct Me {
    __device__ int operator()() const { return threadIdx.x; }
};
__global__ void k(int *out) { out[Me{}()] = Me{}() * 3 + Me()(); }
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 4 * t; });
}
