// an object of the program has the name of a function of the mathematical library
#include "conformance.h"
namespace mine
{
struct Call {
    __device__ int operator()(int a, int b) const { return a * 100 + b + threadIdx.x; }
};
__device__ Call hypot;
__global__ void k(int *out)
{
    const int v = hypot(2, 3);
    __syncthreads();
    out[threadIdx.x] = v;
    __syncthreads();
    out[threadIdx.x] += v;
}
} // namespace mine
int main()
{
    int *out = managed(T);
    mine::k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * (203 + t); });
}
