// an index type that converts: its operator asks for threadIdx
#include "conformance.h"
struct Tid {
    __device__ operator int() const { return threadIdx.x; }
};
__global__ void k(int *out, Tid me) { out[me] = me; }
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, Tid());
    return check(out, T, [](int t) { return t; });
}
