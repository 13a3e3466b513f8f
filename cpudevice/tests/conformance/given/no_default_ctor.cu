// a class without a default constructor, alive across a barrier
#include "conformance.h"
struct Index {
    int v;
    __device__ explicit Index(int i) : v(i) {}
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    Index i = Index(threadIdx.x);
    s[threadIdx.x] = i.v;
    __syncthreads();
    out[threadIdx.x] = s[T - 1 - i.v];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return T - 1 - t; });
}
