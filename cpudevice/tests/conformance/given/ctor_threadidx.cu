// a local whose constructor asks for threadIdx, in three spellings without parentheses
#include "conformance.h"
struct Lane {
    int v;
    __device__ Lane() : v(threadIdx.x) {}
};
__global__ void k(int *out)
{
    Lane a{};
    Lane b[1];
    out[threadIdx.x] = a.v * 100 + b[0].v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t * 101; });
}
