// a program's own blockIdx in a namespace
// alone: what its names mean would make the other cases run on fibers
#include "conformance.h"
namespace mine
{
__device__ int blockIdx = 40;
__device__ int me() { return blockIdx + ::blockIdx.x; }
__global__ void k(int *out)
{
    const int b = blockIdx, c = ::blockIdx.x;
    __syncthreads();
    out[c * T + threadIdx.x] = b * 10 + c + me();
}
} // namespace mine
int main()
{
    int *out = managed(2 * T);
    mine::k<<<2, T>>>(out);
    return check(out, 2 * T, [](int i) { return 400 + i / T + 40 + i / T; });
}
