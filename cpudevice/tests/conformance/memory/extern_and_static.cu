// device variables declared extern before they are defined, in a namespace, static and constexpr
#include "conformance.h"

extern __device__ int later[];
extern __constant__ int also;
namespace deep
{
__device__ int inside = 3;
namespace
{
__device__ int hidden = 4;
}
} // namespace deep
constexpr int plain = 5;
static const int folded = 6;
__global__ void k(int *out)
{
    out[threadIdx.x] =
        later[1] + also * 10 + deep::inside * 100 + deep::hidden * 1000 + plain * 10000 + folded * 100000;
}
__device__ int later[2] = {1, 2};
__constant__ int also = 7;
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 654372; });
}
