// a local of constant value is changed by a method of an object that refers to it
#include "conformance.h"

class Counter
{
    int &n;

  public:
    __device__ explicit Counter(int &n) : n(n) {}
    __device__ void hit() { n += threadIdx.x; }
};
__global__ void k(int *out)
{
    int n = 5;
    Counter counter(n);
    __syncthreads();
    counter.hit();
    __syncthreads();
    counter.hit();
    out[threadIdx.x] = n;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 5 + 2 * t; });
}
