// a using-declaration in an inner scope hides the constant that a const was computed from
#include "conformance.h"
namespace o
{
constexpr int width = 5;
__device__ int fmaxf(int a, int b) { return a * 100 + b; }
} // namespace o
constexpr int width = 3;
__global__ void k(int *out)
{
    const int n = width * threadIdx.x;
    __syncthreads();
    {
        using o::width;
        __syncthreads();
        out[threadIdx.x] = n * 10 + width;
    }
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 30 * t + 5; });
}
