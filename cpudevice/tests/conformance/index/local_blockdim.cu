// locals named blockDim and uint3 round a barrier
#include "conformance.h"
namespace mine
{
struct uint3 {
    int q;
};
__global__ void k(int *out)
{
    const int me = threadIdx.x;
    const dim3 blockDim(2, 2, 2);
    uint3 z{me};
    int keep = me * 2;
    __syncthreads();
    out[me] = keep + blockDim.x + z.q;
    __syncthreads();
    keep++;
    out[threadIdx.x] += keep;
}
} // namespace mine
int main()
{
    int *out = managed(T);
    mine::k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t * 2 + 2 + t + t * 2 + 1; });
}
