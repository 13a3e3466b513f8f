// locals and members with the names of built-in variables hide them
#include "conformance.h"

struct Fake {
    int x;
};
__global__ void k(int *out)
{
    const int me = threadIdx.x, size = blockDim.x;
    __syncthreads();
    {
        Fake threadIdx{7}, blockDim{me};
        int warpSize = 3;
        __syncthreads();
        out[me] = threadIdx.x * 1000 + blockDim.x * 10 + warpSize;
    }
    __syncthreads();
    out[threadIdx.x] += size == blockDim.x;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 7000 + 10 * t + 4; });
}
