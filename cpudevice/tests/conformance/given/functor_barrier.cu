// a functor made on the spot, with a barrier inside
#include "conformance.h"
struct Reverse {
    __device__ int operator()(int *s, int v) const
    {
        s[threadIdx.x] = v;
        __syncthreads();
        return s[T - 1 - threadIdx.x];
    }
};
__global__ void k(int *out, int *scratch) { out[threadIdx.x] = Reverse{}(scratch, threadIdx.x); }
int main()
{
    int *out = managed(T), *scratch = managed(T);
    k<<<1, T>>>(out, scratch);
    return check(out, T, [](int t) { return T - 1 - t; });
}
