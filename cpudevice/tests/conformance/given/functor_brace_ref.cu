// a functor made on the spot takes its argument by reference
#include "conformance.h"
struct Bump {
    __device__ void operator()(int &x, int by) const { x += by; }
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    int x = 1;
    s[threadIdx.x] = threadIdx.x;
    Bump{}(x, s[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = x + s[0];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 1 + t; });
}
